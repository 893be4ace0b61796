import { Alert, Autocomplete, Checkbox, Select, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { createMenu, listMenus, type MenuRow, removeMenu, updateMenu } from '#domain/access/endpoints.ts'
import { listPermissions } from '#domain/access/lists.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useForm } from '#web/api/use-form.ts'
import { NameFields } from '#web/modules/access/name-fields.tsx'
import { SettingForm } from '#web/modules/access/setting-form.tsx'
import { usePageTable } from '#web/shell/page-table.ts'
import { useSession } from '#web/shell/session.tsx'
import { usePageTitle, useScreenTitle } from '#web/shell/title.tsx'
import { useGoBack } from '#web/shell/way-back.ts'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { useValues } from '#web/ui/form/use-values.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { LoadFailed } from '#web/ui/states/load-failed.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { useMissing } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/words.tsx'
import { IconPicker } from './icon-picker.tsx'
import { pageOf, useMenuFlaw } from './menu-flaw.ts'
import { blockOf, placesOf } from './menu-places.ts'

/** Adds or changes a menu. */
export default function MenuFormPage() {
  const { id } = useParams()
  const answer = useEndpoint(listMenus, {}, { refetchOnWindowFocus: false })
  const title = useScreenTitle()
  const { t } = useTranslation('common')
  const { language } = useSurroundings()
  const menus = answer.data?.data ?? []
  const menu = menus.find((candidate) => candidate.id === id)
  usePageTitle(menu ? `${title}: ${menu.name[language]}` : null)
  if (answer.isPending) return <LoadingRows rows={8} />
  if (!answer.data) return <LoadFailed error={answer.error} onRetry={answer.refetch} />
  if (id && !menu) return <EmptyState title={t('errors.notFoundTitle')} />
  return (
    <>
      <PageHeader title={menu?.name[language] ?? title} />
      <Card>
        <MenuForm key={menu ? `${menu.id} ${menu.version}` : 'new'} menu={menu} menus={menus} />
      </Card>
    </>
  )
}

function MenuForm({ menu, menus }: { menu: MenuRow | undefined; menus: readonly MenuRow[] }) {
  const { t } = useTranslation('access')
  const common = useTranslation('common').t
  const { may } = useSession()
  const { language } = useSurroundings()
  const goBackTo = useGoBack()
  const flawOf = useMenuFlaw()
  const { pages } = usePageTable()
  const { values, set, box, value } = useValues({
    en: menu?.name.en ?? '',
    id: menu?.name.id ?? '',
    path: menu?.path ?? '',
    icon: (menu?.icon ?? 'point') as string | null,
    parentId: menu?.parentId ?? null,
    permission: menu?.permission ?? null,
    active: menu?.active ?? true,
  })
  const catalogue = useEndpoint(
    listPermissions,
    { query: { per_page: 100, q: undefined } },
    { enabled: may(listPermissions.access) },
  )
  const missing = useMissing()
  const slugs = [
    ...new Set([...pages.map(({ access }) => access), ...(catalogue.data?.data ?? []).map(({ slug }) => slug)]),
  ]
    .filter((slug) => slug !== 'public' && slug !== 'signed-in')
    .toSorted()
  if (values.permission && !slugs.includes(values.permission)) slugs.push(values.permission)

  const goBack = () => goBackTo('/settings/url')
  const body = {
    name: { en: values.en, id: values.id },
    path: values.path.trim() || null,
    icon: values.icon,
    parentId: values.parentId,
    permission: values.permission,
    active: values.active,
  }
  const form = useForm({
    call: menu ? updateMenu : createMenu,
    params: menu && { id: menu.id },
    body: { ...body, ...(menu && { version: menu.version }) },
    done: t('menus.saved'),
    onDone: goBack,
  })
  const removing = useForm({
    call: removeMenu,
    params: { id: menu?.id ?? '' },
    done: t('menus.deleted'),
    onDone: goBack,
  })
  /** Sets the permission of the page, unless another one was chosen. */
  const onPath = (path: string) => {
    const permissionFor = (address: string) => {
      const access = pageOf(pages, address)?.access
      return access && access !== 'public' && access !== 'signed-in' ? access : null
    }
    const isProposal = values.permission === null || values.permission === permissionFor(values.path)
    set({ path, ...(isProposal && { permission: permissionFor(path) }) })
  }
  const ownIds = menu ? new Set(blockOf(placesOf(menus), menu.id).map(({ id }) => id)) : new Set<string>()
  const headings = menus.filter(({ id, path }) => path === null && !ownIds.has(id))
  const flaw = flawOf(body)

  return (
    <SettingForm
      form={form}
      onBack={goBack}
      removal={
        menu &&
        may('settings-url-delete') && (
          <ConfirmButton
            danger
            variant="outline"
            ml="auto"
            title={t('menus.deleteTitle')}
            message={t('menus.deleteText', { roles: menu.roles.join(', ') || '—' })}
            onConfirm={() => removing.send()}
            children={common('actions.delete')}
          />
        )
      }
    >
      <NameFields
        labels={{ en: t('menus.nameEn'), id: t('menus.nameId') }}
        values={values}
        field={form.field}
        onChange={set}
      />
      <Autocomplete
        size="sm"
        label={t('menus.path')}
        description={t('menus.pathHelp')}
        placeholder="/"
        data={pages.filter(({ layout, path }) => layout === 'app' && !path.includes(':')).map(({ path }) => path)}
        limit={30}
        value={values.path}
        {...form.field('path')}
        onChange={onPath}
      />
      <Select
        size="sm"
        label={t('menus.permission')}
        description={t('menus.permissionHelp')}
        placeholder={t('menus.nobodysPermission')}
        data={slugs}
        searchable
        clearable
        limit={50}
        clearButtonProps={{ 'aria-label': common('actions.remove') }}
        value={values.permission}
        {...form.field('permission')}
        error={form.errorOf('permission') ?? missing(t('menus.permission'), catalogue.error)}
        onChange={(permission) => set({ permission })}
      />
      {flaw && <Alert color="orange" variant="light" children={flaw} />}
      <IconPicker {...value('icon')} />
      <Select
        size="sm"
        label={t('menus.parent')}
        placeholder={t('menus.top')}
        data={headings.map(({ id, name }) => ({ value: id, label: name[language] }))}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': common('actions.remove') }}
        {...value('parentId')}
        {...form.field('parentId')}
      />
      <Checkbox label={t('menus.active')} {...box('active')} />
      {!menu && (
        <Text size="sm" c="dimmed">
          {t('menus.rolesNote')}
        </Text>
      )}
    </SettingForm>
  )
}
