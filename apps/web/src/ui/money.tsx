import { rupiah, rupiahOfSen } from '#locales/format.ts'

/** `Rp 1.000.000`, never broken over two lines. */
export const Money = ({ amount }: { amount: number }) => (
  <span className="tabular" style={{ whiteSpace: 'nowrap' }}>
    {rupiah(amount)}
  </span>
)

/** `Rp 1.250,75` of an amount in sen, never broken over two lines. */
export const SenMoney = ({ amountSen }: { amountSen: number }) => (
  <span className="tabular" style={{ whiteSpace: 'nowrap' }}>
    {rupiahOfSen(amountSen)}
  </span>
)
