import { Button, Checkbox, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { type ApprovalKind, approvalKinds, kindsWithoutSum } from '#domain/payments/approvals/approvals.ts'
import { readApprovalLimits, writeApprovalLimits } from '#domain/payments/approvals/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useForm } from '#web/api/use-form.ts'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { MoneyInput } from '#web/ui/form/money-input.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { LoadFailed } from '#web/ui/states/load-failed.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import classes from './approval-limits.module.css'
import { useApprovalWords } from './words.ts'

type Limit = { roleId: string; kind: ApprovalKind; most: number | null }

/** Largest amount in rupiah each role may approve, per kind of request. */
export default function ApprovalLimitsPage() {
  const { t } = useApprovalWords()
  const { data, error, refetch } = useEndpoint(readApprovalLimits)
  const [draft, setDraft] = useState<Limit[] | null>(null)
  const limits: Limit[] = draft ?? data?.data.limits ?? []
  const form = useForm({
    call: writeApprovalLimits,
    body: { limits },
    done: t('limits.saved'),
    onDone: () => setDraft(null),
  })
  const title = useScreenTitle()
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />
  if (!data) return <LoadingRows rows={6} />
  const { roles } = data.data
  const limitOf = (roleId: string, kind: ApprovalKind) =>
    limits.find((limit) => limit.roleId === roleId && limit.kind === kind)
  const setLimit = (roleId: string, kind: ApprovalKind, maxAmount: number | null | undefined) =>
    setDraft([
      ...limits.filter((limit) => limit.roleId !== roleId || limit.kind !== kind),
      ...(maxAmount === undefined ? [] : [{ roleId, kind, most: maxAmount }]),
    ])
  return (
    <>
      <PageHeader title={title} description={t('limits.lead')} />
      {roles.length === 0 && <EmptyState title={t('limits.noRoles')} />}
      <PageForm
        form={form}
        submit={roles.length > 0 ? t('common:actions.save') : null}
        button={{ disabled: !draft }}
        beside={
          draft && (
            <Button variant="default" onClick={() => setDraft(null)}>
              {t('common:actions.cancel')}
            </Button>
          )
        }
      >
        {roles.map((role) => (
          <Card key={role.id} title={role.name}>
            <Table verticalSpacing="xs" className={classes.limits}>
              <Table.Tbody>
                {approvalKinds.map((kind) => {
                  const limit = limitOf(role.id, kind)
                  return (
                    <Table.Tr key={kind}>
                      <Table.Td>
                        <Checkbox
                          label={t(`kind.${kind}`)}
                          checked={limit !== undefined}
                          onChange={(event) => setLimit(role.id, kind, event.currentTarget.checked ? null : undefined)}
                        />
                      </Table.Td>
                      <Table.Td>
                        {limit && kindsWithoutSum.includes(kind) ? (
                          <Text size="sm" c="dimmed">
                            {t('limits.withoutSum')}
                          </Text>
                        ) : limit ? (
                          <MoneyInput
                            aria-label={`${t(`kind.${kind}`)}: ${t('limits.most')}`}
                            placeholder={t('limits.any')}
                            size="sm"
                            w="14rem"
                            maw="100%"
                            value={limit.most ?? 0}
                            {...form.field(`limits.${limits.indexOf(limit)}.most`)}
                            onChange={(maxAmount) => setLimit(role.id, kind, maxAmount || null)}
                          />
                        ) : (
                          <Text size="sm" c="dimmed">
                            {t('limits.none')}
                          </Text>
                        )}
                      </Table.Td>
                    </Table.Tr>
                  )
                })}
              </Table.Tbody>
            </Table>
          </Card>
        ))}
      </PageForm>
    </>
  )
}
