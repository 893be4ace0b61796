type Limits = { min?: number; max?: number }

/** Props of a field stored in basis points, for an input that shows percent. */
export const inPercent = <Props extends Limits>(props: Props): Props => ({
  ...props,
  ...(props.min !== undefined && { min: props.min / 100 }),
  ...(props.max !== undefined && { max: props.max / 100 }),
})
