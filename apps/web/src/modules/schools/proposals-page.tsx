import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { verifyProposals } from '#domain/schools/endpoints.ts'
import { listProposals, type SchoolProposal } from '#domain/schools/lists.ts'
import { percent, shortDate } from '#locales/format.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { CheckProposal } from './check-proposal.tsx'
import { SchoolLine } from './school-line.tsx'
import { useMayDecide } from './use-school-data.ts'
import { VerifyMany } from './verify-many-dialog.tsx'
import { WaitingNote } from './waiting-note.tsx'

/** Schools proposed by applicants: each is accepted, merged into an existing school, or refused. */
export default function ProposalsPage() {
  const { t } = useTranslation('schools')
  const title = useScreenTitle()
  const { language } = useSurroundings()
  const mayDecide = useMayDecide()
  const [openProposal, setOpen] = useState<SchoolProposal | null>(null)
  const matches = ({ matches: [best, ...others] }: SchoolProposal) =>
    best ? (
      <>
        <Text size="sm">{best.name}</Text>
        <Text size="xs" c="dimmed">
          {[
            best.npsn,
            t('similarity', { share: percent(best.similarity / 100) }),
            others.length > 0 && t('proposals.more', { count: others.length }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </>
    ) : (
      <Text size="sm" c="dimmed" children={t('proposals.noMatch')} />
    )
  return (
    <>
      <WaitingNote />
      <DataList
        list={listProposals}
        title={title}
        rowTitle={({ name }) => name}
        {...(mayDecide && { onOpen: setOpen })}
        rowActions={[
          {
            key: 'verify',
            label: t('proposals.verifySelected'),
            right: verifyProposals.access,
            many: true,
            dialog: (rows, ends) => <VerifyMany rows={rows} {...ends} />,
          },
        ]}
        cells={{
          name: (row) => <SchoolLine school={row} unsaid />,
          matchNames: (row) => <div style={{ minWidth: 170, whiteSpace: 'normal' }}>{matches(row)}</div>,
        }}
        card={(row) => (
          <div>
            <Text size="sm" c="dimmed">
              {[row.city, row.proposedBy, shortDate(row.createdAt, language)].filter(Boolean).join(' · ')}
            </Text>
            <div>{matches(row)}</div>
            {mayDecide && (
              <Button size="compact-md" variant="default" mt={6} onClick={() => setOpen(row)}>
                {t('proposals.check')}
              </Button>
            )}
          </div>
        )}
        empty={{ title: t('proposals.empty'), text: t('proposals.emptyText') }}
      />
      {openProposal && <CheckProposal proposal={openProposal} onClose={() => setOpen(null)} />}
    </>
  )
}
