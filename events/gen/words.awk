# Functions for events.awk: the words, numbers and masks of counters in a table's lines, and messages.

function fail(file, line, what) {
	printf "%s:%d: %s\n", file, line, what | "cat 1>&2"
	bad = 1
}

# Complain of the current line, unless the line belongs to another table. Always returns 0.
function complain(what) {
	if (foreign == "")
		fail(file, here, what)
	return 0
}

function is_num(s) {
	if (s ~ /^0x/)
		return s ~ /^0x[0-9a-fA-F]+$/ && length(s) <= 15
	return s ~ /^(0|[1-9][0-9]*)$/ && length(s) <= 15
}

function value(s,   i, v) {
	if (s !~ /^0x/)
		return s + 0
	for (i = 3; i <= length(s); i++)
		v = v * 16 + index("0123456789abcdef", tolower(substr(s, i, 1))) - 1
	return v
}

# Is every bit of a also set in b?
function within(a, b) {
	for (; a > 0; a = int(a / 2)) {
		if (a % 2 > b % 2)
			return 0
		b = int(b / 2)
	}
	return 1
}

function quoted(s) {
	return "\"" s "\""
}

function has_word(list, word) {
	return index(" " list " ", " " word " ") > 0
}

# Split line into W[1..n] and return n; text keeps its quotes. Returns 0 if line is malformed.
function split_line(line,   n, len) {
	split("", W)
	for (;;) {
		sub(/^[ \t]+/, "", line)
		if (line == "" || line ~ /^#/)
			return n + 0
		if (!match(line, /^[^ \t"]*"[^"]*"/))
			match(line, /^[^ \t"]*/)
		len = RLENGTH
		W[++n] = substr(line, 1, len)
		line = substr(line, len + 1)
		if (line ~ /^"/ && W[n] !~ /"$/)
			return complain("text without a closing quote: " line)
		if (line ~ /^[^ \t]/)
			return complain("no blank between " W[n] " and " line)
		if (W[n] ~ /"/ && W[n] ~ /[\\\t]/)
			return complain("backslash or tab in text: " W[n])
	}
}

# Return a list of counters, "0-1,4", as a mask in hexadecimal digits: a number would lose bits above 53.
function picmask(list,   n, part, r, i, p, mask, digit) {
	split("", bit)
	n = split(list, part, ",")
	for (i = 1; i <= n; i++) {
		if (part[i] !~ /^[0-9]+(-[0-9]+)?$/)
			return complain("bad list of counters '" list "'")
		if (split(part[i], r, "-") == 1)
			r[2] = r[1]
		if (r[1] + 0 > r[2] + 0 || r[2] + 0 >= npic)
			return complain("counter " part[i] " is not in 0-" npic - 1)
		for (p = r[1] + 0; p <= r[2] + 0; p++)
			bit[p] = 1
	}
	for (p = 60; p >= 0; p -= 4) {
		digit = 0
		for (i = 3; i >= 0; i--)
			digit = digit * 2 + bit[p + i]
		mask = mask substr("0123456789abcdef", digit + 1, 1)
	}
	sub(/^0+/, "", mask)
	return mask == "" ? complain("pic= names no counter") : "0x" mask
}

# Return the counters that two masks have in common, as a mask.
function both(a, b,   i, mask, x, y, digit, k) {
	a = substr("0000000000000000" substr(a, 3), length(a) - 1)
	b = substr("0000000000000000" substr(b, 3), length(b) - 1)
	for (i = 1; i <= 16; i++) {
		x = index("0123456789abcdef", substr(a, i, 1)) - 1
		y = index("0123456789abcdef", substr(b, i, 1)) - 1
		digit = 0
		for (k = 8; k >= 1; k /= 2) {
			if (x >= k && y >= k)
				digit += k
			x %= k
			y %= k
		}
		mask = mask substr("0123456789abcdef", digit + 1, 1)
	}
	sub(/^0+/, "", mask)
	return "0x" (mask == "" ? "0" : mask)
}
