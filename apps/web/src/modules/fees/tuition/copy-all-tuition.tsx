import { Button, SimpleGrid, Table, Text } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Adjustment, noAdjustment } from '#domain/fees/amounts.ts'
import { copyTuition, previewTuitionCopy, type TuitionCopy } from '#domain/fees/endpoints.ts'
import { rupiah } from '#locales/format.ts'
import { type ApiError, call } from '#web/api/client.ts'
import { boundTo, useForm } from '#web/api/use-form.ts'
import { AdjustmentInputs } from '#web/modules/fees/adjustment-inputs.tsx'
import classes from '#web/modules/fees/tuition.module.css'
import { withNote } from '#web/modules/fees/with-note.tsx'
import { ReferenceSelect } from '#web/resource/form/reference-select.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { DialogForm } from '#web/ui/form/form.tsx'
import { useValues } from '#web/ui/form/use-values.ts'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { type Existing, ExistingChoice } from './existing-choice.tsx'

/** Button beside the list of study programmes: copies the tuition of all of them from one wave to another. */
export default function CopyAllTuition() {
  const { t } = useTranslation('fees')
  const { may } = useSession()
  const [opened, setOpened] = useState(false)
  if (!may('master-uang-kuliah-create')) return null
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconCopy size={18} aria-hidden="true" />}
        onClick={() => setOpened(true)}
        aria-haspopup="dialog"
      >
        {t('copyAll.open')}
      </Button>
      {opened && <CopyForm onClose={() => setOpened(false)} />}
    </>
  )
}

function CopyForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('fees')
  const { may } = useSession()
  const inputs = useValues({
    fromWaveId: null as string | null,
    toWaveId: null as string | null,
    adjustment: noAdjustment as Adjustment,
    existing: 'keep' as Existing,
  })
  const { fromWaveId, toWaveId } = inputs.values
  const request = { ...inputs.values, fromWaveId: fromWaveId ?? '', toWaveId: toWaveId ?? '' }
  const isReady = fromWaveId !== null && toWaveId !== null && fromWaveId !== toWaveId
  const preview = useQuery<{ data: TuitionCopy }, ApiError>({
    queryKey: [previewTuitionCopy.path, request],
    queryFn: ({ signal }) => call(previewTuitionCopy, { body: request }, { signal }),
    enabled: isReady,
    meta: { quietAs: 'tuitionCopyPreview' },
    staleTime: 0,
  })
  const plan = isReady ? preview.data?.data : undefined
  const writes = plan ? plan.added + plan.replaced : 0
  const sending = useForm({
    call: copyTuition,
    body: {
      ...request,
      fromWaveId: fromWaveId ?? undefined,
      toWaveId: toWaveId ?? undefined,
      fingerprint: plan?.fingerprint ?? '',
    },
    refusal: preview.error,
    done: t('copyAll.done', { count: writes }),
    onDone: onClose,
    onRefused: ({ code }) => code === 'preview_changed' && preview.refetch(),
  })
  const form = boundTo(sending, inputs)
  return (
    <DialogForm
      form={form}
      title={t('copyAll.title')}
      size="xl"
      submit={plan ? t('copyAll.write', { count: writes }) : t('copyAll.open')}
      button={{ disabled: isReady && writes === 0 }}
      onClose={onClose}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <ReferenceSelect size="sm" to="periode" label={t('copyAll.from')} {...form.value('fromWaveId')} />
        <ReferenceSelect size="sm" to="periode" label={t('copyAll.to')} {...form.value('toWaveId')} />
      </SimpleGrid>
      <AdjustmentInputs field={(name) => form.field(`adjustment.${name}`)} {...form.value('adjustment')} />
      <ExistingChoice mayReplace={may('master-uang-kuliah-edit')} {...form.value('existing')} />
      {isReady && preview.isPending && <LoadingRows rows={5} />}
      {plan && <CopyPreview plan={plan} />}
    </DialogForm>
  )
}

function CopyPreview({ plan }: { plan: TuitionCopy }) {
  const { t } = useTranslation('fees')
  if (plan.programmes.length === 0) return <Text>{t('copyAll.nothing')}</Text>
  return (
    <>
      <Text size="sm">
        {t('copyAll.summary', {
          added: plan.added,
          replaced: plan.replaced,
          kept: plan.kept,
          unchanged: plan.unchanged,
        })}
      </Text>
      <section className={classes.preview} aria-label={t('copy.preview')} tabIndex={0}>
        <Table className={classes.amounts}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('copyAll.programme')}</Table.Th>
              <Table.Th>{t('copyAll.oldWave')}</Table.Th>
              <Table.Th>{t('copyAll.newWave')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {plan.programmes.map((programme) => (
              <Fragment key={programme.id}>
                <Table.Tr>
                  <Table.Th colSpan={3} scope="rowgroup">
                    {programme.name}{' '}
                    <Text component="span" size="xs" c="dimmed" fw={400}>
                      {t('copyAll.counts', {
                        added: programme.added,
                        replaced: programme.replaced,
                        kept: programme.kept,
                      })}
                    </Text>
                  </Table.Th>
                </Table.Tr>
                {programme.classes.map((one) => (
                  <Table.Tr key={`${one.classProgramme}${one.track}`}>
                    <Table.Td pl={28}>{[one.classProgramme, one.track].filter(Boolean).join(' · ')}</Table.Td>
                    <Table.Td>{rupiah(one.from)}</Table.Td>
                    <Table.Td>
                      {withNote(
                        rupiah(one.willBe),
                        one.now > 0 && one.now !== one.willBe && t('copyAll.now', { amount: rupiah(one.now) }),
                      )}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Fragment>
            ))}
          </Table.Tbody>
        </Table>
      </section>
    </>
  )
}
