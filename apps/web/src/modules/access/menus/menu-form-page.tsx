import { Alert, Autocomplete, Checkbox, Select, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { createMenu, listMenus, type MenuRow, removeMenu, updateMenu } from '#domain/access/endpoints.ts'
import { listPermissions } from '#domain/access/lists.ts'
import { useEndpoint } from '#web/api/query.ts'
import type { CheckedField } from '#web/api/use-checks.ts'
import { useForm } from '#web/api/use-form.ts'
import { NameFields, namesOf, startOfNames } from '#web/modules/access/name-fields.tsx'
import { SettingForm } from '#web/modules/access/setting-form.tsx'
import { usePageTable } from '#web/shell/page-table.ts'
import { NoRecord } from '#web/shell/record-failed.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { usePageTitle, useScreenTitle } from '#web/shell/title.tsx'
import { useGoBack } from '#web/shell/way-back.ts'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { LoadFailed } from '#web/ui/states/load-failed.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { useMissing } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { IconPicker } from './icon-picker.tsx'
import { pageOf, useMenuFlaw } from './menu-flaw.ts'
import { blockOf, placesOf } from './menu-places.ts'

export default function MenuFormPage() {
  const { id } = useParams()
  const answer = useEndpoint(listMenus, {}, { refetchOnWindowFocus: false })
  const title = useScreenTitle()
  const { language } = useSurroundings()
  const menus = answer.data?.data ?? []
  const menu = menus.find((candidate) => candidate.id === id)
  usePageTitle(menu ? `${title}: ${menu.name[language]}` : null)
  if (answer.isPending) return <LoadingRows rows={8} />
  if (!answer.data) return <LoadFailed error={answer.error} onRetry={answer.refetch} />
  if (id && !menu) return <NoRecord />
  return (
    <>
      <PageHeader title={menu?.name[language] ?? title} />
      <Card>
        <MenuForm key={menu ? `${menu.id} ${menu.version}` : 'new'} menu={menu} menus={menus} />
      </Card>
    </>
  )
}

/** Values of a menu; choosing a path suggests its page's permission. */
function useMenuForm(menu: MenuRow | undefined, onSaved: () => void) {
  const { t } = useTranslation('access')
  const { pages } = usePageTable()
  const form = useForm({
    call: menu ? updateMenu : createMenu,
    params: menu && { id: menu.id },
    start: {
      ...startOfNames(menu?.name),
      path: menu?.path ?? '',
      icon: (menu?.icon ?? 'point') as string | null,
      parentId: menu?.parentId ?? null,
      permission: menu?.permission ?? null,
      active: menu?.active ?? true,
    },
    body: ({ path, icon, parentId, permission, active, ...names }) => ({
      name: namesOf(names),
      path: path.trim() || null,
      icon,
      parentId,
      permission,
      active,
      ...(menu && { version: menu.version }),
    }),
    done: t('menus.saved'),
    onDone: onSaved,
  })
  /** Sets the page's permission, unless another one was chosen. */
  const setPath = (path: string) => {
    const permissionFor = (address: string) => {
      const access = pageOf(pages, address)?.access
      return access && access !== 'public' && access !== 'signed-in' ? access : null
    }
    const { permission, path: before } = form.values
    const isProposal = permission === null || permission === permissionFor(before)
    form.set({ path, ...(isProposal && { permission: permissionFor(path) }) })
  }
  return { form, setPath }
}

function MenuForm({ menu, menus }: { menu: MenuRow | undefined; menus: readonly MenuRow[] }) {
  const { t } = useTranslation('access')
  const common = useTranslation('common').t
  const { may } = useSession()
  const { language } = useSurroundings()
  const goBackTo = useGoBack()
  const flawOf = useMenuFlaw()
  const { pages } = usePageTable()
  const goBack = () => goBackTo('/settings/url')
  const { form, setPath } = useMenuForm(menu, goBack)
  const ownIds = menu ? new Set(blockOf(placesOf(menus), menu.id).map(({ id }) => id)) : new Set<string>()
  const headings = menus.filter(({ id, path }) => path === null && !ownIds.has(id))
  const flaw = flawOf({ path: form.values.path.trim(), permission: form.values.permission })

  return (
    <SettingForm
      form={form}
      onBack={goBack}
      removal={menu && may('settings-url-delete') && <RemoveButton menu={menu} onRemoved={goBack} />}
    >
      <NameFields labels={{ en: t('menus.nameEn'), id: t('menus.nameId') }} form={form} />
      <Autocomplete
        size="sm"
        label={t('menus.path')}
        description={t('menus.pathHelp')}
        placeholder="/"
        data={pages.filter(({ layout, path }) => layout === 'app' && !path.includes(':')).map(({ path }) => path)}
        limit={30}
        value={form.values.path}
        {...form.field('path')}
        onChange={setPath}
      />
      <PermissionSelect {...form.value('permission')} />
      {flaw && <Alert color="orange" variant="light" children={flaw} />}
      <IconPicker {...form.value('icon')} />
      <Select
        size="sm"
        label={t('menus.parent')}
        placeholder={t('menus.top')}
        data={headings.map(({ id, name }) => ({ value: id, label: name[language] }))}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': common('actions.remove') }}
        {...form.value('parentId')}
      />
      <Checkbox label={t('menus.active')} {...form.box('active')} />
      {!menu && (
        <Text size="sm" c="dimmed">
          {t('menus.rolesNote')}
        </Text>
      )}
    </SettingForm>
  )
}

function RemoveButton({ menu, onRemoved }: { menu: MenuRow; onRemoved: () => void }) {
  const { t } = useTranslation('access')
  const common = useTranslation('common').t
  const removing = useForm({
    call: removeMenu,
    params: { id: menu.id },
    done: t('menus.deleted'),
    onDone: onRemoved,
  })
  return (
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

type PermissionProps = CheckedField & { value: string | null; onChange: (permission: string | null) => void }

/** Permissions of pages and catalogue; keeps the menu's own even if both have lost it. */
function PermissionSelect({ value, error, ...select }: PermissionProps) {
  const { t } = useTranslation('access')
  const common = useTranslation('common').t
  const { may } = useSession()
  const { pages } = usePageTable()
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
  if (value && !slugs.includes(value)) slugs.push(value)
  return (
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
      {...select}
      value={value}
      error={error ?? missing(t('menus.permission'), catalogue.error)}
    />
  )
}
