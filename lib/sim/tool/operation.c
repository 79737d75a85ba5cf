/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/tool/operation.h"

struct row {
	uint8_t known, op, elem; /* known: 0: the types of the operation say what it is */
};

/* elem: bytes of an element of an FP vector; 0: the operation is not FP, or scalar. */
#define ROW(name, kind, elem) [Iop_##name - Iop_INVALID] = {1, MOP_##kind, elem}

static const struct row rows[Iop_LAST - Iop_INVALID] = {
	ROW(Shl8, SHIFT, 0),
	ROW(Shl16, SHIFT, 0),
	ROW(Shl32, SHIFT, 0),
	ROW(Shl64, SHIFT, 0),
	ROW(Shr8, SHIFT, 0),
	ROW(Shr16, SHIFT, 0),
	ROW(Shr32, SHIFT, 0),
	ROW(Shr64, SHIFT, 0),
	ROW(Sar8, SHIFT, 0),
	ROW(Sar16, SHIFT, 0),
	ROW(Sar32, SHIFT, 0),
	ROW(Sar64, SHIFT, 0),
	ROW(Not8, ALU, 0),
	ROW(Not16, ALU, 0),
	ROW(Not32, ALU, 0),
	ROW(Not64, ALU, 0),
	ROW(Clz32, ALU, 0),
	ROW(Clz64, ALU, 0),
	ROW(ClzNat32, ALU, 0),
	ROW(ClzNat64, ALU, 0),
	ROW(Ctz32, ALU, 0),
	ROW(Ctz64, ALU, 0),
	ROW(CtzNat32, ALU, 0),
	ROW(CtzNat64, ALU, 0),
	ROW(PopCount32, ALU, 0),
	ROW(PopCount64, ALU, 0),
	ROW(Reverse8sIn32_x1, ALU, 0),
	ROW(Reverse8sIn64_x1, ALU, 0),
	ROW(Mul8, MUL32, 0),
	ROW(Mul16, MUL32, 0),
	ROW(Mul32, MUL32, 0),
	ROW(MullS8, MUL32, 0),
	ROW(MullS16, MUL32, 0),
	ROW(MullS32, MUL32, 0),
	ROW(MullU8, MUL32, 0),
	ROW(MullU16, MUL32, 0),
	ROW(MullU32, MUL32, 0),
	ROW(Mul64, MUL64, 0),
	ROW(MullS64, MUL64, 0),
	ROW(MullU64, MUL64, 0),
	ROW(DivModU64to32, DIV32, 0),
	ROW(DivModS64to32, DIV32, 0),
	ROW(DivModU128to64, DIV64, 0),
	ROW(DivModS128to64, DIV64, 0),
	ROW(8HLto16, NOPS, 0),
	ROW(16HLto32, NOPS, 0),
	ROW(32HLto64, NOPS, 0),
	ROW(64HLto128, NOPS, 0),
	ROW(64HLtoV128, NOPS, 0),
	ROW(64UtoV128, NOPS, 0),
	ROW(32UtoV128, NOPS, 0),
	ROW(SetV128lo32, NOPS, 0),
	ROW(SetV128lo64, NOPS, 0),
	ROW(ZeroHI64ofV128, NOPS, 0),
	ROW(ZeroHI96ofV128, NOPS, 0),
	ROW(V256toV128_0, NOPS, 0),
	ROW(V256toV128_1, NOPS, 0),
	ROW(V128HLtoV256, NOPS, 0),
	ROW(64x4toV256, NOPS, 0),
	ROW(ReinterpI32asF32, NOPS, 0),
	ROW(ReinterpI64asF64, NOPS, 0),
	ROW(GetMSBs8x16, VEC, 0),
	ROW(CmpF32, FADD, 0),
	ROW(CmpF64, FADD, 0),
	ROW(F64toI16S, FADD, 0),
	ROW(F64toI32S, FADD, 0),
	ROW(F64toI64S, FADD, 0),
	ROW(F64toI32U, FADD, 0),
	ROW(F64toI64U, FADD, 0),
	ROW(F32toI32S, FADD, 0),
	ROW(F32toI64S, FADD, 0),
	ROW(Add32F0x4, FADD, 0),
	ROW(Sub32F0x4, FADD, 0),
	ROW(Max32F0x4, FADD, 0),
	ROW(Min32F0x4, FADD, 0),
	ROW(CmpEQ32F0x4, FADD, 0),
	ROW(CmpLT32F0x4, FADD, 0),
	ROW(CmpLE32F0x4, FADD, 0),
	ROW(CmpUN32F0x4, FADD, 0),
	ROW(Add64F0x2, FADD, 0),
	ROW(Sub64F0x2, FADD, 0),
	ROW(Max64F0x2, FADD, 0),
	ROW(Min64F0x2, FADD, 0),
	ROW(CmpEQ64F0x2, FADD, 0),
	ROW(CmpLT64F0x2, FADD, 0),
	ROW(CmpLE64F0x2, FADD, 0),
	ROW(CmpUN64F0x2, FADD, 0),
	ROW(Add32Fx4, FADD, 4),
	ROW(Sub32Fx4, FADD, 4),
	ROW(Max32Fx4, FADD, 4),
	ROW(Min32Fx4, FADD, 4),
	ROW(CmpEQ32Fx4, FADD, 4),
	ROW(CmpLT32Fx4, FADD, 4),
	ROW(CmpLE32Fx4, FADD, 4),
	ROW(CmpUN32Fx4, FADD, 4),
	ROW(I32StoF32x4, FADD, 4),
	ROW(F32toI32Sx4, FADD, 4),
	ROW(Add32Fx8, FADD, 4),
	ROW(Sub32Fx8, FADD, 4),
	ROW(Max32Fx8, FADD, 4),
	ROW(Min32Fx8, FADD, 4),
	ROW(I32StoF32x8, FADD, 4),
	ROW(F32toI32Sx8, FADD, 4),
	ROW(Add64Fx2, FADD, 8),
	ROW(Sub64Fx2, FADD, 8),
	ROW(Max64Fx2, FADD, 8),
	ROW(Min64Fx2, FADD, 8),
	ROW(CmpEQ64Fx2, FADD, 8),
	ROW(CmpLT64Fx2, FADD, 8),
	ROW(CmpLE64Fx2, FADD, 8),
	ROW(CmpUN64Fx2, FADD, 8),
	ROW(Add64Fx4, FADD, 8),
	ROW(Sub64Fx4, FADD, 8),
	ROW(Max64Fx4, FADD, 8),
	ROW(Min64Fx4, FADD, 8),
	ROW(MulF32, FMUL, 0),
	ROW(MulF64, FMUL, 0),
	ROW(Mul32F0x4, FMUL, 0),
	ROW(Mul64F0x2, FMUL, 0),
	ROW(Mul32Fx4, FMUL, 4),
	ROW(Mul32Fx8, FMUL, 4),
	ROW(Mul64Fx2, FMUL, 8),
	ROW(Mul64Fx4, FMUL, 8),
	ROW(MAddF32, FMA, 4),
	ROW(MSubF32, FMA, 4),
	ROW(MAddF64, FMA, 8),
	ROW(MSubF64, FMA, 8),
	ROW(DivF32, FDIV32, 0),
	ROW(Div32F0x4, FDIV32, 0),
	ROW(RecipEst32F0x4, FDIV32, 0),
	ROW(RSqrtEst32F0x4, FDIV32, 0),
	ROW(Div32Fx4, FDIV32, 4),
	ROW(Div32Fx8, FDIV32, 4),
	ROW(RecipEst32Fx4, FDIV32, 4),
	ROW(RecipEst32Fx8, FDIV32, 4),
	ROW(RSqrtEst32Fx4, FDIV32, 4),
	ROW(RSqrtEst32Fx8, FDIV32, 4),
	ROW(DivF64, FDIV64, 0),
	ROW(Div64F0x2, FDIV64, 0),
	ROW(AtanF64, FDIV64, 0),
	ROW(Yl2xF64, FDIV64, 0),
	ROW(Yl2xp1F64, FDIV64, 0),
	ROW(PRemF64, FDIV64, 0),
	ROW(PRem1F64, FDIV64, 0),
	ROW(SinF64, FDIV64, 0),
	ROW(CosF64, FDIV64, 0),
	ROW(TanF64, FDIV64, 0),
	ROW(2xm1F64, FDIV64, 0),
	ROW(Div64Fx2, FDIV64, 8),
	ROW(Div64Fx4, FDIV64, 8),
	ROW(SqrtF32, FSQRT32, 0),
	ROW(Sqrt32F0x4, FSQRT32, 0),
	ROW(Sqrt32Fx4, FSQRT32, 4),
	ROW(Sqrt32Fx8, FSQRT32, 4),
	ROW(SqrtF64, FSQRT64, 0),
	ROW(Sqrt64F0x2, FSQRT64, 0),
	ROW(Sqrt64Fx2, FSQRT64, 8),
	ROW(Sqrt64Fx4, FSQRT64, 8),
};

/*
 * An operation without a row: of integers if it has two operands, as conversions between
 * sizes of integers have one; of vectors; or of floating point.
 */
static struct operation by_type(int unary, IRType result)
{
	switch (result) {
	case Ity_V128:
	case Ity_V256:
		return (struct operation){MOP_VEC, sizeofIRType(result), 8};
	case Ity_F32:
	case Ity_F64:
		return (struct operation){MOP_FADD, 0, 0};
	default:
		return (struct operation){unary ? MOP_NOPS : MOP_ALU, 0, 0};
	}
}

struct operation operation_find(IROp op, int unary, IRType result)
{
	const struct row *const r = &rows[op - Iop_INVALID];

	if (!r->known)
		return by_type(unary, result);
	return (struct operation){r->op, r->elem ? sizeofIRType(result) : 0, r->elem};
}
