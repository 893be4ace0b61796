import { ActionIcon, Button, Checkbox, Group, Menu, Modal, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconBookmark, IconStar, IconStarFilled, IconTrash } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { createView, listViews, removeView, type SavedView, updateView } from '#domain/views/endpoints.ts'
import type { ApiError } from '#web/api/client.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useChecks } from '#web/api/use-checks.ts'
import type { Columns, ListState } from '#web/list/list-state.ts'
import { bindingsOf, useValues } from '#web/ui/form/use-values.ts'
import { Failure } from '#web/ui/states/failure.tsx'
import { useMissing } from '#web/ui/states/missing.tsx'
import { BarButton } from './bar-button.tsx'

type Props<Row> = { name: string; list: ListState; columns: Columns<Row> }

/** Saved combinations of filters, order and columns. The default view applies when the list opens. */
export function SavedViews<Row>({ name, list, columns }: Props<Row>) {
  const { t } = useTranslation('list')
  const queries = useQueryClient()
  const [params] = useSearchParams()
  const [naming, setNaming] = useState(false)
  const [hasBareAddress] = useState(() => params.size === 0)
  const answer = useEndpoint(listViews, { query: { list: name } }, { staleTime: 300_000 })
  const missing = useMissing()
  const views = answer.data?.data ?? []
  const activeView = views.find((view) => view.query === list.viewQuery && list.viewQuery !== '')
  const refetchViews = () => queries.invalidateQueries({ queryKey: keyOf(listViews) })
  const [lastId, setLastId] = useState<string | null>(null)
  const lastView = views.find(({ id }) => id === lastId)
  const isLastViewChanged =
    lastView && (lastView.query !== list.viewQuery || lastView.columns.join() !== columns.keys.join())
  const applyView = (view: SavedView) => {
    setLastId(view.id)
    list.show(view.query)
    if (view.columns.length > 0) columns.choose(view.columns)
  }

  const byDefault = views.find(({ isDefault }) => isDefault)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the list opens without parameters in its address
  useEffect(() => {
    if (hasBareAddress && byDefault) applyView(byDefault)
  }, [hasBareAddress, byDefault?.id])

  const change = useMutation({
    mutationFn: (act: () => Promise<unknown>) => act(),
    onSettled: refetchViews,
    onError: (error) => notifications.show({ message: error.message, color: 'red' }),
  })
  const update = ({ id, ...content }: SavedView) =>
    change.mutate(() => sendOnce(updateView, { params: { id }, body: content }))

  return (
    <>
      <Menu position="bottom-end" shadow="md" width={300} closeOnItemClick={false} withinPortal={false}>
        <Menu.Target>
          <BarButton
            icon={<IconBookmark size={16} aria-hidden="true" />}
            label={activeView?.name ?? t('views')}
            aria-label={activeView ? `${t('views')}: ${activeView.name}` : t('views')}
          />
        </Menu.Target>
        <Menu.Dropdown>
          {views.length === 0 && (
            <Text size="sm" c="dimmed" px="sm" py="xs">
              {missing(t('views'), answer.error) ?? t('noViews')}
            </Text>
          )}
          {views.map((view) => (
            <Group key={view.id} gap={2} wrap="nowrap">
              <Menu.Item
                closeMenuOnClick
                fw={view.id === activeView?.id ? 600 : undefined}
                onClick={() => applyView(view)}
                style={{ flex: 1 }}
              >
                {view.name}
              </Menu.Item>
              <ActionIcon
                variant="subtle"
                aria-label={t(view.isDefault ? 'notDefault' : 'makeDefault', { name: view.name })}
                aria-pressed={view.isDefault}
                onClick={() => update({ ...view, isDefault: !view.isDefault })}
              >
                {view.isDefault ? <IconStarFilled size={16} /> : <IconStar size={16} />}
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('removeView', { name: view.name })}
                onClick={() => change.mutate(() => sendOnce(removeView, { params: { id: view.id } }))}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </Group>
          ))}
          <Menu.Divider />
          {lastView && isLastViewChanged && (
            <Menu.Item
              closeMenuOnClick
              onClick={() => update({ ...lastView, query: list.viewQuery, columns: columns.keys })}
            >
              {t('updateView', { name: lastView.name })}
            </Menu.Item>
          )}
          <Menu.Item closeMenuOnClick onClick={() => setNaming(true)}>
            {t('saveView')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {naming && (
        <NameDialog
          onClose={() => setNaming(false)}
          view={{ list: name, query: list.viewQuery, columns: columns.keys }}
          onSaved={refetchViews}
        />
      )}
    </>
  )
}

type DialogProps = {
  view: { list: string; query: string; columns: string[] }
  onSaved: () => Promise<unknown>
  onClose: () => void
}

function NameDialog({ view, onSaved, onClose }: DialogProps) {
  const { t } = useTranslation('list')
  const common = useTranslation('common').t
  const { values, set } = useValues({ name: '', isDefault: false })
  const body = { ...view, ...values, name: values.name.trim() }
  const save = useMutation<unknown, ApiError>({
    mutationFn: () => sendOnce(createView, { body }).then(onSaved),
    onSuccess: onClose,
  })
  const checks = useChecks(createView, body, { refusal: save.error })
  const { text, box } = bindingsOf(values, set, checks.field)
  return (
    <Modal opened onClose={onClose} title={t('saveView')} closeButtonProps={{ 'aria-label': common('actions.close') }}>
      <form
        {...checks.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!save.isPending && checks.isReady()) save.mutate()
        }}
      >
        <Stack>
          <TextInput data-autofocus label={t('viewName')} description={t('viewHelp')} {...text('name')} />
          <Checkbox label={t('opensWith')} {...box('isDefault')} />
          <Failure>{checks.formError}</Failure>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {common('actions.cancel')}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {common('actions.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
