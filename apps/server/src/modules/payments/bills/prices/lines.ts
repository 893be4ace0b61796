/** The discount behind a bill line, and where it came from. */
export type TakenDiscount = {
  discountId: string
  /** The use reserved when the voucher was entered. */
  useId: string | null
  schoolAgreementId: string | null
}

export type NewBillLine = {
  description: string
  /** Whole rupiah; negative for a discount. */
  amount: number
  feeComponentId?: string
  /** False: paid in full with the first instalment. */
  installmentsAllowed?: boolean
  discount?: TakenDiscount
}
