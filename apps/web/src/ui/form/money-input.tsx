import { NumberInput, type NumberInputProps } from '@mantine/core'

type Props = Omit<NumberInputProps, 'onChange'> & { onChange: (rupiah: number) => void }

/** Whole rupiah in Indonesian notation. */
export const MoneyInput = ({ onChange, value, ...field }: Props) => (
  <NumberInput
    prefix="Rp "
    thousandSeparator="."
    decimalSeparator=","
    allowDecimal={false}
    allowNegative={false}
    hideControls
    inputMode="numeric"
    maxLength={22}
    value={value || ''}
    onChange={(typed) => onChange(Number(typed) || 0)}
    {...field}
  />
)
