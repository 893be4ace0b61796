import { rupiah, rupiahOfSen } from '#locales/format.ts'

/** `Rp 1.000.000`, without a line break. */
export const Money = ({ amount }: { amount: number }) => (
  <span className="tabular" style={{ whiteSpace: 'nowrap' }}>
    {rupiah(amount)}
  </span>
)

/** `Rp 1.250,75` for an amount in sen, without a line break. */
export const SenMoney = ({ amountSen }: { amountSen: number }) => (
  <span className="tabular" style={{ whiteSpace: 'nowrap' }}>
    {rupiahOfSen(amountSen)}
  </span>
)
