import { useTranslation } from 'react-i18next'
import { liftSuppression } from '#domain/campaigns/address-endpoints.ts'
import { listSuppressions, type SuppressionRow } from '#domain/campaigns/lists.ts'
import { keyOf } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useAction } from '#web/api/use-action.ts'
import type { RowAction } from '#web/list/actions/row-action.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { ConfirmDialog } from '#web/ui/confirm-button.tsx'

/** List of suppressed addresses, where staff may lift a suppression. */
export default function SuppressionsPage() {
  const { t } = useTranslation('send')
  const { actOrThrow } = useAction(keyOf(listSuppressions))
  const lift: RowAction<SuppressionRow> = {
    key: 'lift',
    label: t('suppressions.lift'),
    suits: ({ liftedAt }) => liftedAt === null,
    dialog: ([row], { onClose }) =>
      row && (
        <ConfirmDialog
          title={t('suppressions.liftTitle', { address: row.address })}
          message={t(`suppressions.liftText.${row.reason === 'complained' ? 'complained' : 'other'}`)}
          confirmLabel={t('suppressions.lift')}
          onConfirm={() =>
            actOrThrow(
              'lift',
              () => sendOnce(liftSuppression, { params: { id: row.id }, body: { version: row.version } }),
              () => t('suppressions.lifted'),
            )
          }
          onClose={onClose}
        />
      ),
  }
  return (
    <DataList
      list={listSuppressions}
      title={useScreenTitle()}
      lead={t('suppressions.lead')}
      searchLabel={t('suppressions.search')}
      rowTitle={({ address }) => address}
      dimmed={({ liftedAt }) => liftedAt !== null}
      preview
      rowActions={[lift]}
      empty={{ title: t('suppressions.empty'), text: t('suppressions.emptyText') }}
    />
  )
}
