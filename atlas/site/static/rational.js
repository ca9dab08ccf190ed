// exact fractions {n, d} of BigInts, d > 0 and in lowest terms
"use strict";
const Q = (function () {
  function gcd(a, b) {
    if (a < 0n) a = -a;
    while (b) [a, b] = [b, a % b];
    return a;
  }
  function of(n, d) {
    if (d < 0n) [n, d] = [-n, -d];
    const g = gcd(n, d) || 1n;
    return { n: n / g, d: d / g };
  }
  // "-3/4" or "0.25"; null for anything else
  function read(text) {
    const parts = /^\s*([-−+]?)(\d+)(?:\.(\d+)|\/(\d+))?\s*$/.exec(text);
    if (!parts) return null;
    const [, sign, whole, decimals = "", below] = parts;
    const d = below === undefined ? 10n ** BigInt(decimals.length) : BigInt(below);
    return d ? of(BigInt(whole + decimals) * (sign && sign !== "+" ? -1n : 1n), d) : null;
  }
  const add = (a, b) => of(a.n * b.d + b.n * a.d, a.d * b.d);
  const mul = (a, b) => of(a.n * b.n, a.d * b.d);
  const neg = (a) => ({ n: -a.n, d: a.d });
  const cmp = (a, b) => { const x = a.n * b.d - b.n * a.d; return x > 0n ? 1 : x < 0n ? -1 : 0; };
  const abs = (a) => (a.n < 0n ? neg(a) : a);
  const text = (a) => (a.n < 0n ? "−" : "") + (a.n < 0n ? -a.n : a.n) + (a.d === 1n ? "" : "/" + a.d);
  const number = (a) => Number(a.n) / Number(a.d);
  return { of, read, add, mul, neg, cmp, abs, text, number, zero: of(0n, 1n), one: of(1n, 1n) };
})();
