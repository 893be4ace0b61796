import { Button, Menu, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Conversation, listFilledReplies } from '#domain/chat/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'

type Props = {
  conversation: Conversation
  /** Puts the text into the field, where it can be changed. */
  onPick: (text: string) => void
  /** Sends an approved template at once. */
  onTemplate: (templateId: string, body: string) => void
  busy: boolean
}

/** Canned replies with the person's facts, and approved templates where free text no longer goes out. */
export function RepliesMenu({ conversation: { id, whatsapp }, onPick, onTemplate, busy }: Props) {
  const { t } = useTranslation('inbox')
  const [isOpen, setOpen] = useState(false)
  const { data } = useEndpoint(listFilledReplies, { params: { id } }, { enabled: isOpen })
  const offersTemplates = whatsapp !== null && !whatsapp.open
  return (
    <Menu opened={isOpen} onChange={setOpen} width={340} position="top-start" shadow="md">
      <Menu.Target>
        <Button variant="default" size="sm" loading={busy}>
          {t('repliesMenu')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="50vh" style={{ overflowY: 'auto' }}>
        {data?.data.map((reply) => (
          <Menu.Item key={reply.id} onClick={() => onPick(reply.body)}>
            <Text fw={600}>{reply.title}</Text>
            <Text size="sm" lineClamp={3}>
              {reply.body}
            </Text>
            {reply.missing.length > 0 && (
              <Text size="sm" c="orange.8">
                {t('missing', { facts: reply.missing.map((fact) => t(`fact.${fact}`)).join(', ') })}
              </Text>
            )}
          </Menu.Item>
        ))}
        {data?.data.length === 0 && !offersTemplates && <Menu.Label>{t('noReplies')}</Menu.Label>}
        {offersTemplates && <Menu.Label>{t('template')}</Menu.Label>}
        {offersTemplates &&
          data?.templates.map((template) => (
            <Menu.Item key={template.id} onClick={() => onTemplate(template.id, template.body)}>
              <Text fw={600}>{template.name}</Text>
              <Text size="sm" lineClamp={3}>
                {template.body}
              </Text>
            </Menu.Item>
          ))}
        {offersTemplates && data?.templates.length === 0 && <Menu.Label>{t('noTemplates')}</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
  )
}
