package main

import (
	"fmt"
	"sort"
)

func main() {
	x := []int{3, 1, 2}
	sort.Ints(x)
	fmt.Println(x)
}
