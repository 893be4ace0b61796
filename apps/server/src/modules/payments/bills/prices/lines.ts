/** What a discount does to the lines of a bill, and where it comes from. */
export type TakenDiscount = {
  discountId: string
  /** The use that was kept when a voucher was entered. */
  useId: string | null
  schoolAgreementId: string | null
}

export type NewBillLine = {
  description: string
  /** Whole rupiah; a discount is negative. */
  amount: number
  feeComponentId?: string
  /** False: to be paid in full with the first instalment. */
  installmentsAllowed?: boolean
  discount?: TakenDiscount
}
