import { useTranslation } from 'react-i18next'
import { longDate } from '#locales/format.ts'
import { SecretField } from '#web/ui/form/secret-field.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

type Props = {
  label: string
  help: string
  /** When the stored secret was set; null without a stored secret. */
  setAt: string | null
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

/** Input for a connection's secret. Shows only the date of a stored one. */
export function ConnectionSecret({ setAt, ...field }: Props) {
  const { t } = useTranslation('whatsapp')
  const { language } = useSurroundings()
  return (
    <SecretField
      {...field}
      stored={setAt && `•••• · ${t('secretSet', { date: longDate(setAt, language) })}`}
      words={{ replace: t('secretReplace'), keep: t('secretKeep') }}
    />
  )
}
