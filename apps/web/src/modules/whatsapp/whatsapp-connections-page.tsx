import { Badge, Button, Group } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatPhone } from '#domain/accounts/phone.ts'
import { listConnections, type WhatsappConnectionRow } from '#domain/whatsapp/endpoints.ts'
import { whatsappKinds } from '#domain/whatsapp/standing.ts'
import { dateTime, wholeNumber } from '#locales/format.ts'
import { useSession } from '#web/app/session.tsx'
import { useScreenTitle } from '#web/app/title.tsx'
import { ListPage } from '#web/list/data-list.tsx'
import { useSurroundings } from '#web/ui/words.tsx'
import { StandingDot, useProblemWords } from './words.tsx'

/** Everything WhatsApp messages can go out through. */
export default function WhatsappConnectionsPage() {
  const { t } = useTranslation('whatsapp')
  const { may } = useSession()
  const { language } = useSurroundings()
  const problemWords = useProblemWords()
  return (
    <ListPage<WhatsappConnectionRow>
      name="whatsapp"
      title={useScreenTitle()}
      endpoint={listConnections}
      defaultSort="name"
      searchLabel={t('search')}
      rowId={({ id }) => id}
      rowTitle={({ name }) => name}
      href={({ id }) => `/settings/whatsapp/${id}/view`}
      dimmed={({ active }) => !active}
      empty={{ title: t('empty'), text: t('emptyText') }}
      columns={[
        {
          key: 'name',
          label: t('name'),
          sort: true,
          cell: ({ name, isDefault }) => (
            <Group gap="xs" wrap="nowrap" component="span">
              {name}
              {isDefault && <Badge component="span" variant="light" children={t('default')} />}
            </Group>
          ),
        },
        { key: 'standing', label: t('standing'), cell: ({ standing }) => <StandingDot standing={standing} /> },
        { key: 'kind', label: t('kind'), cell: ({ kind }) => t(`kinds.${kind}`) },
        { key: 'phone', label: t('phone'), cell: ({ phone }) => (phone ? formatPhone(phone) : '—') },
        {
          key: 'sentLastDay',
          label: t('sentLastDay'),
          numeric: true,
          cell: ({ sentLastDay }) => wholeNumber(sentLastDay),
        },
        {
          key: 'problem',
          label: t('reason'),
          hidden: true,
          cell: ({ problem }) => (problem ? problemWords(problem) : '—'),
        },
        {
          key: 'createdAt',
          label: t('created'),
          sort: true,
          hidden: true,
          cell: ({ createdAt }) => dateTime(createdAt, language),
        },
      ]}
      filters={[
        {
          key: 'kind',
          label: t('kind'),
          kind: 'choice',
          quick: true,
          choices: whatsappKinds.map((value) => ({ value, label: t(`kinds.${value}`) })),
        },
        {
          key: 'active',
          label: t('active'),
          kind: 'choice',
          choices: [
            { value: 'true', label: t('active') },
            { value: 'false', label: t('inactive') },
          ],
        },
      ]}
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
