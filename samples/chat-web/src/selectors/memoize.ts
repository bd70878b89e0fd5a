/** Recomputes only when one of the inputs is another object than last time. Remembers one result. */
export function memoize<S, const I extends readonly unknown[], R>(
  inputs: (state: S) => I,
  compute: (...values: [...I]) => R,
): (state: S) => R {
  let last: { values: I; result: R } | undefined;
  return (state) => {
    const values = inputs(state);
    if (!last || values.some((value, i) => value !== last!.values[i])) {
      last = { values, result: compute(...([...values] as [...I])) };
    }
    return last.result;
  };
}
