import { Modal } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ProofRow } from '#domain/payments/proofs/endpoints.ts'
import { listProofs } from '#domain/payments/proofs/lists.ts'
import { rupiah } from '#locales/format.ts'
import { DataList } from '#web/list/data-list.tsx'
import { ReconciliationTabs } from '#web/modules/payments/reconciliation/reconciliation-tabs.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { ProofDetails } from './proof-details.tsx'
import { proofTone } from './tones.ts'

/** Proofs of transfers that applicants sent, beside the lines of the statements. */
export default function ProofsPage() {
  const { t } = useTranslation(['transfer-proofs', 'common'])
  const { may } = useSession()
  const [open, setOpen] = useState<ProofRow | null>(null)
  const title = (row: ProofRow) => `${rupiah(row.amount)} · ${row.applicantName ?? row.fromBank}`
  return (
    <>
      <DataList
        list={listProofs}
        title={useScreenTitle()}
        searchLabel={t('search')}
        lead={may('rekonsiliasi-view') && <ReconciliationTabs tab="proofs" />}
        cells={{
          state: ({ state, late }) => (
            <StatusDot tone={late ? 'attention' : proofTone[state]} label={t(late ? 'late' : `state.${state}`)} />
          ),
        }}
        rowTitle={title}
        onOpen={setOpen}
        preview={({ id }) => <ProofDetails key={id} id={id} />}
        dimmed={({ state }) => state !== 'open'}
        empty={{ title: t('empty'), text: t('emptyText') }}
      />
      {open && (
        <Modal
          opened
          onClose={() => setOpen(null)}
          size="lg"
          title={title(open)}
          closeButtonProps={{ 'aria-label': t('common:actions.close') }}
        >
          <ProofDetails id={open.id} />
        </Modal>
      )}
    </>
  )
}
