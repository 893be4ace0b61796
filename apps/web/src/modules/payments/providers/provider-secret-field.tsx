import { useTranslation } from 'react-i18next'
import type { ProviderDetail } from '#domain/payments/providers/endpoints.ts'
import type { ProviderSecret } from '#domain/payments/providers/provider-kinds.ts'
import { longDate } from '#locales/format.ts'
import { SecretField } from '#web/ui/form/secret-field.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import type { ProviderBindings } from './form-values.ts'

type Props = {
  name: ProviderSecret
  provider: ProviderDetail | undefined
  form: ProviderBindings
}

/** A secret of a connection; of the stored one only the last characters and the date are shown. */
export function ProviderSecretField({ name, provider, form }: Props) {
  const { t } = useTranslation('providers')
  const { language } = useSurroundings()
  const { secrets } = form.values
  const storedSecret = provider?.secrets[name]
  return (
    <SecretField
      label={t(`secrets.${name}`)}
      help={t(`secretHelp.${name}`)}
      stored={
        storedSecret
          ? t('secretStored', { lastFour: storedSecret.lastFour, date: longDate(storedSecret.setAt, language) })
          : null
      }
      words={{ replace: t('secretReplace'), keep: t('secretKeep') }}
      lines={name === 'privateKey'}
      value={secrets[name] ?? ''}
      error={form.field(`secrets.${name}`).error}
      onChange={(value) => form.set({ secrets: { ...secrets, [name]: value } })}
    />
  )
}
