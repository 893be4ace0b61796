import { rupiah } from '#locales/format.ts'

/** `Rp 1.000.000`, never broken over two lines. */
export const Money = ({ amount }: { amount: number }) => (
  <span className="tabular" style={{ whiteSpace: 'nowrap' }}>
    {rupiah(amount)}
  </span>
)
