// Picks the few largest of many numbers, by size, without sorting the rest.

/** Places of the numbers that are not zero, the largest in size first, at most so many; ties in their order. */
export function strongest(numbers: Int32Array | Float64Array, most: number): number[] {
  const order: number[] = [];
  let bar = 0;
  for (let i = 0; i < numbers.length; i += 1) {
    const size = Math.abs(numbers[i]!);
    if (size <= bar) continue;
    let at = order.length < most ? order.length : most - 1;
    for (; at > 0 && Math.abs(numbers[order[at - 1]!]!) < size; at -= 1) order[at] = order[at - 1]!;
    order[at] = i;
    if (order.length === most) bar = Math.abs(numbers[order[most - 1]!]!);
  }
  return order;
}
