import { Switch } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Account, getAccount, updatePreferences } from '#domain/accounts/endpoints.ts'
import { formatPhone } from '#domain/accounts/phone.ts'
import { keyOf } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { Card } from '#web/ui/card.tsx'

/** Switches WhatsApp messages on or off; renders nothing without a phone number. */
export function MessageChoice({ account: { phone, whatsapp } }: { account: Account }) {
  const { t } = useTranslation('preferences')
  const queries = useQueryClient()
  const saving = useMutation({
    mutationFn: (isOn: boolean) => sendOnce(updatePreferences, { body: { whatsapp: isOn } }),
    onSuccess: (answer) => {
      queries.setQueryData(keyOf(getAccount, {}), answer)
      notifications.show({ color: 'green', message: t('saved') })
    },
    onError: (error) => notifications.show({ color: 'red', message: error.message }),
  })
  if (!phone) return null
  return (
    <Card title={t('messages')}>
      <Switch
        size="md"
        label={t('whatsapp')}
        description={t('whatsappText', { phone: formatPhone(phone) })}
        checked={saving.isPending ? saving.variables : whatsapp}
        disabled={saving.isPending}
        onChange={(event) => saving.mutate(event.currentTarget.checked)}
      />
    </Card>
  )
}
