import { Avatar, Menu, Text } from '@mantine/core'
import { IconLogout, IconSettings, IconUser } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { applicantRole } from '#domain/access/applicant-role.ts'
import { navigationConstants } from '#domain/navigation/constants.ts'
import { useSession } from '#web/shell/session/session.tsx'
import classes from './header.module.css'

const initials = (name: string) =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => word[0])
    .filter((_, index, all) => index === 0 || index === all.length - 1)
    .join('')
    .toUpperCase()

export function UserMenu() {
  const { t } = useTranslation('navigation')
  const { user, profile, signOut } = useSession()
  const navigate = useNavigate()
  if (!user) return null
  const applicant = user.role.name === applicantRole
  const name = profile?.fullName ?? user.name
  return (
    <Menu position="bottom-end" width={260} withinPortal={false} zIndex={navigationConstants.dropdownZIndex}>
      <Menu.Target>
        <button type="button" className={classes.user} aria-label={`${t('user')}: ${name}`}>
          <Avatar size={38} radius="xl" color="primary" variant="light" aria-hidden>
            {initials(name)}
          </Avatar>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to={applicant ? '/account/overview' : '/account/settings'}>
          <Text fw={600} truncate>
            {name}
          </Text>
          <Text size="sm" c="dimmed" truncate>
            {user.email}
          </Text>
          <Text size="sm" c="dimmed">
            {user.role.name}
          </Text>
        </Menu.Item>
        <Menu.Divider />
        {applicant && (
          <Menu.Item component={Link} to="/account/overview" leftSection={<IconUser size={18} aria-hidden />}>
            {t('account')}
          </Menu.Item>
        )}
        <Menu.Item component={Link} to="/account/settings" leftSection={<IconSettings size={18} aria-hidden />}>
          {t('accountSettings')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLogout size={18} aria-hidden />}
          onClick={() => {
            void signOut()
            navigate('/sign-in')
          }}
        >
          {t('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
