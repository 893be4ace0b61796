/** Sen of whole rupiah: the books hold rupiah, statements hold sen. */
export const senOf = (amount: number) => amount * 100

/** Whole rupiah of sen, rounded towards zero, so the books never hold more than arrived. */
export const wholeRupiahOf = (amountSen: number) => Math.trunc(amountSen / 100)

/** Sen beyond the whole rupiah, 0 to 99. */
export const senBeyond = (amountSen: number) => Math.abs(amountSen) % 100
