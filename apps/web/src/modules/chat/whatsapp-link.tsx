import { Button, Text } from '@mantine/core'
import { IconBrandWhatsapp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { linkWhatsapp, readOwnChat } from '#domain/chat/endpoints.ts'
import { keyOf } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useAction } from '#web/api/use-action.ts'

/** Button that opens WhatsApp with a code that links the reader's number. Shows a number already linked instead. */
export function WhatsappLink({ phone }: { phone: string | null }) {
  const { t } = useTranslation('chat')
  const { running, act } = useAction(keyOf(readOwnChat))
  if (phone) return <Text size="sm" c="dimmed" children={t('linkedWhatsapp', { phone })} />
  const open = () =>
    act('link', async () => {
      const { data } = await sendOnce(linkWhatsapp, {})
      const link = document.createElement('a')
      Object.assign(link, { href: data.url, target: '_blank', rel: 'noopener' })
      link.click()
    })
  return (
    <Button
      variant="subtle"
      mih={44}
      px="xs"
      leftSection={<IconBrandWhatsapp size={18} aria-hidden />}
      loading={running === 'link'}
      onClick={() => void open()}
    >
      {t('linkWhatsapp')}
    </Button>
  )
}
