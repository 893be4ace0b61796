/** The wizard that makes a new admission year from another. */
export const admissionYear = {
  daysAfterBill_one: '{{count}} day after the bill',
  daysAfterBill_other: '{{count}} days after the bill',
}
