import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { approveCommissionRule, createCommissionRule, refuseCommissionRule } from '#domain/affiliates/endpoints.ts'
import { listRules, type RuleRow } from '#domain/affiliates/lists.ts'
import { keyOf } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useAction } from '#web/api/use-action.ts'
import type { RowAction } from '#web/list/actions/row-action.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { CommissionTabs } from './commission-tabs.tsx'
import { RuleDialog } from './rule-dialog.tsx'
import { ruleTones } from './tones.ts'

/** Commission per step: new rule versions, and their approval by a second person. */
export default function RulesPage() {
  const { t } = useTranslation('affiliates')
  const { may } = useSession()
  const [isAdding, setAdding] = useState(false)
  const { act } = useAction(keyOf(listRules))
  const approve = ({ id }: RuleRow) =>
    act(
      id,
      () => sendOnce(approveCommissionRule, { params: { id } }),
      () => t('rules.approved'),
    )
  const refuse = ({ id }: RuleRow) =>
    act(
      id,
      () => sendOnce(refuseCommissionRule, { params: { id } }),
      () => t('rules.refused'),
    )
  const refusal = ({ own }: RuleRow) => (own ? t('rules.own') : null)
  const pending = ({ state }: RuleRow) => state === 'pending'
  const actions: RowAction<RuleRow>[] = [
    {
      key: 'approve',
      label: t('rules.approve'),
      right: approveCommissionRule.access,
      main: true,
      suits: pending,
      refusal,
      run: approve,
    },
    {
      key: 'refuse',
      label: t('rules.refuse'),
      right: refuseCommissionRule.access,
      danger: true,
      suits: pending,
      refusal,
      run: refuse,
    },
  ]
  return (
    <>
      <CommissionTabs tab="rules" />
      <DataList
        list={listRules}
        title={useScreenTitle()}
        searchLabel={t('rules.search')}
        rowTitle={({ whose }) => whose}
        rowActions={actions}
        dimmed={({ state }) => state === 'replaced' || state === 'refused'}
        cells={{ state: ({ state }) => <StatusDot tone={ruleTones[state]} label={t(`ruleState.${state}`)} /> }}
        empty={{ title: t('rules.empty'), text: t('rules.emptyText') }}
        actions={
          may(createCommissionRule.access) && (
            <Button onClick={() => setAdding(true)} leftSection={<IconPlus size={18} aria-hidden />}>
              {t('rules.add')}
            </Button>
          )
        }
      />
      {isAdding && <RuleDialog onClose={() => setAdding(false)} />}
    </>
  )
}
