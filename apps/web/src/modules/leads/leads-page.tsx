import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { createLead, listLeadOwners, recordCall, takeNextLead } from '#domain/leads/endpoints.ts'
import { type CallResult, isOpen } from '#domain/leads/leads.ts'
import { type LeadRow, listLeads } from '#domain/leads/lists.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useAction } from '#web/api/use-action.ts'
import type { RowAction } from '#web/list/actions/row-action.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { AddLeadDialog } from './lead-form.tsx'
import { leadPath, leadTones } from './tones.ts'

/** Call results that need only one tap. */
const quickResults = ['reached', 'no_answer', 'wants_link'] as const satisfies CallResult[]

/** Leads; the call view is worked through from the top. */
export default function LeadsPage() {
  const { t } = useTranslation(['leads', 'send'])
  const { may } = useSession()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const [isAdding, setAdding] = useState(false)
  const { data: owners } = useEndpoint(listLeadOwners)
  const { running, act, actOrThrow } = useAction(keyOf(listLeads))
  const mayWrite = may(createLead.access)
  const isCallList = search.get('queue') === 'my-calls'

  const campaignPath = `/marketing/kirim-informasi/create?${new URLSearchParams([...search, ['audience', 'leads']])}`

  const takeNext = () =>
    act('take', async () => {
      const { data } = await sendOnce(takeNextLead, {})
      if (data) void navigate(leadPath(data.id))
      else notifications.show({ message: t('list.noneLeft') })
    })
  const calls = quickResults.map(
    (result): RowAction<LeadRow> => ({
      key: result,
      label: t(`call.result.${result}`),
      right: recordCall.access,
      suits: ({ stage }) => isOpen(stage),
      run: ({ id }) =>
        actOrThrow(
          result,
          () => sendOnce(recordCall, { params: { id }, body: { result, nextContactOn: null, text: null } }),
          () => t('call.recorded', { result: t(`call.result.${result}`) }),
        ),
    }),
  )
  return (
    <>
      <DataList
        list={listLeads}
        title={useScreenTitle()}
        searchLabel={t(mayWrite ? 'list.search' : 'list.searchName')}
        rowTitle={({ name }) => name}
        href={({ id }) => leadPath(id)}
        rowActions={calls}
        actions={
          <>
            {may('marketing-kirim-informasi-view') && (
              <Button component={Link} to={campaignPath} variant="default">
                {t('send:fromList')}
              </Button>
            )}
            {mayWrite && (
              <>
                <Button variant="default" onClick={() => setAdding(true)}>
                  {t('list.add')}
                </Button>
                <Button onClick={takeNext} loading={running === 'take'}>
                  {t('list.takeNext')}
                </Button>
              </>
            )}
          </>
        }
        controls={{
          ownerId: {
            kind: 'choice',
            choices: (owners?.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
          },
          eventId: { kind: 'custom', control: () => null, chip: () => t('list.ofEvent') },
        }}
        cells={{ stage: ({ stage }) => <StatusDot tone={leadTones[stage]} label={t(`stage.${stage}`)} /> }}
        empty={
          isCallList
            ? { title: t('list.noCalls'), text: t('list.noCallsText') }
            : { title: t('list.empty'), text: t('list.emptyText') }
        }
      />
      {isAdding && <AddLeadDialog onAdded={(id) => void navigate(leadPath(id))} onClose={() => setAdding(false)} />}
    </>
  )
}
