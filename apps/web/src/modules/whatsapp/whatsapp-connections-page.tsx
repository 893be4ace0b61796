import { Badge, Button, Group } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatPhone } from '#domain/accounts/phone.ts'
import { listConnections } from '#domain/whatsapp/lists.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { StandingDot } from './words.tsx'

export default function WhatsappConnectionsPage() {
  const { t } = useTranslation('whatsapp')
  const { may } = useSession()
  return (
    <DataList
      list={listConnections}
      title={useScreenTitle()}
      searchLabel={t('search')}
      rowTitle={({ name }) => name}
      href={({ id }) => `/settings/whatsapp/${id}/view`}
      dimmed={({ active }) => !active}
      empty={{ title: t('empty'), text: t('emptyText') }}
      cells={{
        name: ({ name, isDefault }) => (
          <Group gap="xs" wrap="nowrap" component="span">
            {name}
            {isDefault && <Badge component="span" variant="light" children={t('default')} />}
          </Group>
        ),
        standing: ({ standing }) => <StandingDot standing={standing} />,
        phone: ({ phone }) => (phone ? formatPhone(phone) : '—'),
      }}
      actions={
        may('settings-whatsapp-create') && (
          <Button component={Link} to="/settings/whatsapp/create" leftSection={<IconPlus size={18} aria-hidden />}>
            {t('add')}
          </Button>
        )
      }
    />
  )
}
