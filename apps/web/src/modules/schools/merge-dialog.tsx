import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type ComparedSchool,
  compareSchools,
  type MergeableField,
  type MergeChoice,
  type MergeOutcome,
  mergeSchools,
  previewMerge,
  readPair,
  type SchoolPair,
  undoMerge,
} from '#domain/schools/endpoints.ts'
import { call } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { Missing } from '#web/ui/states/missing.tsx'
import classes from './side-by-side.module.css'
import { type Choice, SideBySide } from './side-by-side.tsx'
import { useDismiss } from './use-dismiss.ts'
import { useMayDecide, useSchoolRefresh } from './use-school-data.ts'
import { useUndone } from './use-undone.ts'

type Props = { onClose: () => void; onMerged?: () => void } & (
  | { pair: SchoolPair; ids?: undefined }
  /** Two schools to compare; the first one stays unless the reader selects the other. */
  | { pair?: undefined; ids: readonly [string, string] }
)

/**
 * Compares schools side by side, selects the one that stays and the details to keep, shows the effects, and merges. A
 * merge can be undone.
 */
export function MergeDialog({ pair, ids, onClose, onMerged }: Props) {
  const { t } = useTranslation(['schools', 'common'])
  const mayDecide = useMayDecide()
  const ofPair = useEndpoint(readPair, { params: { id: pair?.id ?? '' } }, { enabled: !!pair, gcTime: 0 })
  const ofIds = useEndpoint(
    compareSchools,
    { params: { id: ids?.[0] ?? '', otherId: ids?.[1] ?? '' } },
    { enabled: !!ids, gcTime: 0 },
  )
  const schools = ofPair.data?.data.schools ?? ofIds.data?.data
  const error = ofPair.error ?? ofIds.error
  return (
    <Modal
      opened
      onClose={onClose}
      size="70rem"
      title={t(mayDecide ? 'merge.title' : 'merge.looking')}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
    >
      <Missing error={schools ? null : error} onRetry={pair ? ofPair.refetch : ofIds.refetch} />
      {!schools && !error && <LoadingRows rows={6} />}
      {schools && !mayDecide && <SideBySide schools={schools} />}
      {schools && mayDecide && (
        <Choosing
          key={schools.map(({ id, version }) => `${id}${version}`).join()}
          pair={pair}
          schools={schools}
          onClose={onClose}
          onMerged={onMerged}
        />
      )}
    </Modal>
  )
}

/** Which school stays, which are left out, and the source of each detail. */
function useMergeChoice(schools: readonly ComparedSchool[]) {
  const [keepId, setKeepId] = useState(schools[0]!.id)
  // If more than two were found, the others are left out until the reader includes them.
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set(schools.slice(2).map(({ id }) => id)))
  const [fields, setFields] = useState<Partial<Record<MergeableField, string>>>({})
  const includedSchools = schools.filter(({ id }) => id === keepId || !leftOut.has(id))
  /** Schools merged into the one that stays. */
  const others = includedSchools.filter(({ id }) => id !== keepId)
  const body: MergeChoice = {
    keepId,
    mergeIds: others.map(({ id }) => id),
    fields: Object.fromEntries(
      Object.entries(fields).filter(([, schoolId]) => includedSchools.some(({ id }) => id === schoolId)),
    ),
    versions: Object.fromEntries(includedSchools.map(({ id, version }) => [id, version])),
  }
  const choice: Choice = {
    keepId,
    left: leftOut,
    fields,
    onKeep: (id) => {
      setKeepId(id)
      setLeftOut((before) => new Set([...before].filter((leftId) => leftId !== id)))
      setFields({})
    },
    onLeave: (id, leave) =>
      setLeftOut((before) =>
        leave ? new Set([...before, id]) : new Set([...before].filter((leftId) => leftId !== id)),
      ),
    onField: (field, schoolId) => setFields((before) => ({ ...before, [field]: schoolId })),
  }
  return { choice, body, others }
}

type ChoosingProps = {
  pair: SchoolPair | undefined
  schools: ComparedSchool[]
  onClose: () => void
  onMerged: (() => void) | undefined
}

function Choosing({ pair, schools, onClose, onMerged }: ChoosingProps) {
  const { t } = useTranslation('schools')
  const refresh = useSchoolRefresh()
  const describeUndo = useUndone()
  const dismiss = useDismiss()
  const { choice, body, others } = useMergeChoice(schools)
  const preview = useMutation({ mutationFn: (choice: MergeChoice) => call(previewMerge, { body: choice }) })
  const bodyText = JSON.stringify(body)
  // biome-ignore lint/correctness/useExhaustiveDependencies: requested again whenever the choice changes
  useEffect(() => {
    if (others.length > 0) preview.mutate(body)
  }, [bodyText])
  const undo = async (mergeId: string) => {
    try {
      describeUndo((await sendOnce(undoMerge, { params: { id: mergeId } })).data)
    } catch (error) {
      notifications.show({ message: (error as Error).message, color: 'red' })
    }
    refresh()
  }
  const merge = useMutation({
    mutationFn: () => sendOnce(mergeSchools, { body }),
    onSuccess: ({ data }) => {
      const { mergeId } = data
      notifications.show({
        color: 'green',
        autoClose: 15_000,
        message: (
          <Group justify="space-between">
            <span>{data.already ? t('merge.already') : t('merge.done', { name: data.name })}</span>
            {mergeId && (
              <Button size="compact-sm" variant="default" onClick={() => undo(mergeId)} children={t('merge.undo')} />
            )}
          </Group>
        ),
      })
      refresh()
      onMerged?.()
      onClose()
    },
  })
  const keptSchool = schools.find(({ id }) => id === choice.keepId)!
  const error = merge.error ?? preview.error
  return (
    <Stack>
      <Text size="sm" c="dimmed" children={t('merge.explain')} />
      <SideBySide schools={schools} choice={choice} />
      {error && <Alert color="red" variant="light" role="alert" children={error.message} />}
      {!error && others.length > 0 && <Effects outcome={preview.data?.data} name={keptSchool.name} />}
      <Group justify="flex-end" className={classes.foot}>
        {pair && (
          <Button
            variant="default"
            mr="auto"
            loading={dismiss.isPending}
            onClick={() => dismiss.mutate(pair, { onSuccess: onClose })}
            children={t(pair.dismissed ? 'pairs.reopen' : 'pairs.dismiss')}
          />
        )}
        <Button variant="default" onClick={onClose} children={t('merge.cancel')} />
        <Button
          disabled={others.length === 0 || !preview.isSuccess}
          loading={merge.isPending}
          onClick={() => merge.mutate()}
          children={t('merge.run', { count: others.length })}
        />
      </Group>
    </Stack>
  )
}

const listed = (references: MergeOutcome['moved']) => references.map(({ what, count }) => `${count} ${what}`).join(', ')

/** Effects of the merge, counted by the server. */
function Effects({ outcome, name }: { outcome: MergeOutcome | undefined; name: string }) {
  const { t } = useTranslation('schools')
  return (
    <Alert variant="light" title={t('merge.preview')} role="status">
      {outcome ? (
        <>
          <Text size="sm">
            {outcome.moved.length > 0 ? t('merge.moves', { list: listed(outcome.moved) }) : t('merge.movesNothing')}
          </Text>
          {outcome.dropped.length > 0 && (
            <Text size="sm" fw={600}>
              {t('merge.drops', { name, list: listed(outcome.dropped) })}
            </Text>
          )}
          <Text size="sm">{t('merge.keepsNumbers', { list: outcome.aliases.join(', ') })}</Text>
        </>
      ) : (
        <Text size="sm" children={t('merge.previewing')} />
      )}
    </Alert>
  )
}
