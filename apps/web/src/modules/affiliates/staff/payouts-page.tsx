import { Alert, Anchor, Button, List, Text, Textarea } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { listPayouts } from '#domain/affiliates/lists.ts'
import { createPayout, previewPayout } from '#domain/affiliates/payout-endpoints.ts'
import { rupiah } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useForm } from '#web/api/use-form.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { DialogForm } from '#web/ui/form/form.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { CommissionTabs } from './commission-tabs.tsx'
import { payoutTones } from './tones.ts'

/** Commission payouts, and a button that freezes the next one. */
export default function PayoutsPage() {
  const { t } = useTranslation('affiliates')
  const { may } = useSession()
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <CommissionTabs tab="payouts" />
      <DataList
        list={listPayouts}
        title={useScreenTitle()}
        searchLabel={t('payouts.search')}
        rowTitle={({ number }) => number}
        href={({ id }) => `/komisi/pencairan/${id}`}
        cells={{ status: ({ status }) => <StatusDot tone={payoutTones[status]} label={t(`payoutState.${status}`)} /> }}
        empty={{ title: t('payouts.empty'), text: t('payouts.emptyText') }}
        actions={
          may(createPayout.access) && (
            <Button onClick={() => setAdding(true)} leftSection={<IconPlus size={18} aria-hidden />}>
              {t('payouts.add')}
            </Button>
          )
        }
      />
      {isAdding && <FreezeDialog onClose={() => setAdding(false)} />}
    </>
  )
}

function FreezeDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('affiliates')
  const navigate = useNavigate()
  const preview = useEndpoint(previewPayout, {}, { staleTime: 0 })
  const found = preview.data?.data
  const form = useForm({
    call: createPayout,
    start: { note: '' },
    done: ({ data }) => t('payouts.created', { number: data.number }),
    onDone: ({ data }) => navigate(`/komisi/pencairan/${data.id}`),
  })
  return (
    <DialogForm
      title={t('payouts.add')}
      form={form}
      submit={found?.people ? t('payouts.create') : null}
      onClose={onClose}
    >
      {!found ? (
        <LoadingOrFailed error={preview.error} onRetry={preview.refetch} rows={2} />
      ) : (
        <>
          <Text>{t('payouts.people', { count: found.people, amount: rupiah(found.amount) })}</Text>
          {found.withoutAccount.length > 0 && (
            <Alert color="orange" variant="light">
              {t('payouts.withoutAccount', { names: found.withoutAccount.join(', ') })}
            </Alert>
          )}
          {found.waiting.length > 0 && (
            <Alert color="orange" variant="light">
              {t('payouts.waiting')}
              <List size="sm" mt="xs">
                {found.waiting.map(({ name, amount, payoutId, number }) => (
                  <List.Item key={payoutId + name}>
                    {name}, {rupiah(amount)} ·{' '}
                    <Anchor component={Link} to={`/komisi/pencairan/${payoutId}`}>
                      {number}
                    </Anchor>
                  </List.Item>
                ))}
              </List>
            </Alert>
          )}
          <Textarea label={t('payouts.note')} autosize {...form.text('note')} />
        </>
      )}
    </DialogForm>
  )
}
