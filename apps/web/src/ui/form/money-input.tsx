import { NumberInput, type NumberInputProps } from '@mantine/core'

type Props = Omit<NumberInputProps, 'onChange'> & { onChange: (rupiah: number) => void }

/** Props for whole rupiah in Indonesian notation. JavaScript keeps fifteen digits exact; 22 is their length as written. */
export const rupiahNotation = {
  prefix: 'Rp ',
  thousandSeparator: '.',
  decimalSeparator: ',',
  allowDecimal: false,
  hideControls: true,
  maxLength: 22,
} satisfies NumberInputProps

/** Whole rupiah; an empty field is 0. */
export const MoneyInput = ({ onChange, value, ...field }: Props) => (
  <NumberInput
    {...rupiahNotation}
    allowNegative={false}
    inputMode="numeric"
    value={value || ''}
    onChange={(typed) => onChange(Number(typed) || 0)}
    {...field}
  />
)
