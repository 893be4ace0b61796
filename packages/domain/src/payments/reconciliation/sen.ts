/** Sen of whole rupiah: payments are kept in rupiah, statements in sen. */
export const senOf = (amount: number) => amount * 100

/** The whole rupiah of sen; what is below one rupiah is left out, so that the books never say more than arrived. */
export const wholeRupiahOf = (amountSen: number) => Math.trunc(amountSen / 100)

/** Sen beyond the whole rupiah, 0 to 99. */
export const senBeyond = (amountSen: number) => Math.abs(amountSen) % 100
