import type { Db } from '#server/platform/database/database.ts'

const dayMs = 86_400_000

export type AcademicFixture = Awaited<ReturnType<typeof academicFixture>>

/**
 * A small university around `now`: one faculty, two programmes, two tracks (regular with a test, achievement without),
 * an open wave with classes, windows, documents, fees and tuition, a plan of three terms, a test session and a school.
 */
export async function academicFixture(db: Db, now = new Date()) {
  // Whole minutes, as people enter them.
  const daysFromNow = (days: number) => new Date(Math.floor(now.getTime() / 60_000) * 60_000 + days * dayMs)
  const dateOf = (days: number) => daysFromNow(days).toISOString().slice(0, 10)
  // Table names come only from the calls below, so the loose type does no harm.
  const insert = async (table: string, values: object): Promise<string> => {
    const { id } = await (db as any).insertInto(table).values(values).returning('id').executeTakeFirstOrThrow()
    return id
  }
  const findId = async (table: string, column: string, value: string): Promise<string | undefined> =>
    (await (db as any).selectFrom(table).select('id').where(column, '=', value).executeTakeFirst())?.id
  /** Reference rows may already be seeded. */
  const findOrInsert = async (table: string, column: string, values: Record<string, unknown>) =>
    (await findId(table, column, String(values[column]))) ?? insert(table, values)

  const faculty = await insert('faculties', { code: 'FTI', name: 'Fakultas Teknologi Informasi', dean: 'Dr. Contoh' })
  const degreeLevel = await findOrInsert('degreeLevels', 'code', {
    code: 'S1',
    name: 'Sarjana',
    pddiktiCode: '30',
    sortOrder: 3,
  })
  const entryLevel = await insert('entryLevels', {
    code: 'S1-BARU',
    name: 'Sarjana (lulusan SMA/SMK)',
    degreeLevelId: degreeLevel,
    minimumEducation: 'sma',
    pddiktiRegistrationKind: '1',
  })
  const classProgramme = await findOrInsert('classProgrammes', 'code', { code: 'PAGI', name: 'Kelas Pagi' })
  const programmes = [
    await insert('studyProgrammes', {
      code: 'IF',
      name: 'Informatika',
      facultyId: faculty,
      degreeLevelId: degreeLevel,
      npmCode: '55',
    }),
    await insert('studyProgrammes', {
      code: 'SI',
      name: 'Sistem Informasi',
      facultyId: faculty,
      degreeLevelId: degreeLevel,
      npmCode: '57',
    }),
  ] as const

  const wave = await insert('waves', {
    code: 'G1',
    academicYear: '2026/2027',
    name: 'Gelombang 1',
    semesterCode: '20261',
    opensAt: daysFromNow(-30),
    closesAt: daysFromNow(30),
    resultsAt: daysFromNow(40),
    confirmationDueAt: daysFromNow(60),
  })
  const regular = await insert('tracks', {
    code: 'REG',
    name: 'Reguler',
    kind: 'regular',
    hasTest: true,
    freeOfFee: false,
    maxChoices: 2,
    asksDonation: true,
    pddiktiTrackCode: '12',
  })
  const achievement = await insert('tracks', {
    code: 'PRES',
    name: 'Prestasi',
    kind: 'achievement',
    hasTest: false,
    freeOfFee: true,
    maxChoices: 1,
    asksDonation: false,
    pddiktiTrackCode: '4',
  })
  const window = {
    waveId: wave,
    entryLevelId: entryLevel,
    opensAt: daysFromNow(-30),
    closesAt: daysFromNow(30),
    paymentDueAt: daysFromNow(33),
    resultsAt: daysFromNow(40),
    confirmationDueAt: daysFromNow(60),
    quota: 100,
  }
  const trackDetails = {
    regular: await insert('trackDetails', { trackId: regular, ...window }),
    achievement: await insert('trackDetails', { trackId: achievement, ...window }),
  }
  const file = (trackId: string, name: string, required: boolean, sortOrder: number) =>
    insert('trackFiles', {
      trackId,
      name,
      required,
      acceptedTypes: ['pdf', 'jpg', 'png'],
      maxMb: 5,
      mayDefer: !required,
      sortOrder,
    })
  const trackFiles = {
    regular: [
      await file(regular, 'Ijazah atau SKL', true, 1),
      await file(regular, 'Kartu keluarga', true, 2),
      await file(regular, 'Akta kelahiran', false, 3),
    ],
    achievement: [
      await file(achievement, 'Ijazah atau SKL', true, 1),
      await file(achievement, 'Sertifikat prestasi', true, 2),
    ],
  }
  const programmeDetails = [
    await insert('programmeDetails', {
      programmeId: programmes[0],
      waveId: wave,
      classProgrammeId: classProgramme,
      entryLevelId: entryLevel,
      capacity: 40,
      passingGrade: 60,
    }),
    await insert('programmeDetails', {
      programmeId: programmes[1],
      waveId: wave,
      classProgrammeId: classProgramme,
      entryLevelId: entryLevel,
      capacity: 40,
      passingGrade: 55,
    }),
  ] as const

  const feeComponents = {
    development: await findOrInsert('feeComponents', 'code', {
      code: 'DPP',
      name: 'Dana pengembangan pendidikan',
      recurrence: 'once',
      allocationPriority: 10,
    }),
    semester: await findOrInsert('feeComponents', 'code', {
      code: 'SPP',
      name: 'SPP semester',
      recurrence: 'per_semester',
      allocationPriority: 20,
    }),
  }
  for (const programmeId of programmes) {
    const fee = { programmeId, waveId: wave, classProgrammeId: classProgramme }
    await insert('tuitionFees', {
      ...fee,
      feeComponentId: feeComponents.development,
      amount: 9_000_000,
      installmentsAllowed: true,
    })
    await insert('tuitionFees', {
      ...fee,
      feeComponentId: feeComponents.semester,
      amount: 4_500_000,
      installmentsAllowed: true,
    })
  }
  const registrationFee = await insert('registrationFees', { waveId: wave, amount: 250_000 })
  const plan = await insert('installmentPlans', { code: 'C3', name: 'Tiga kali', waveId: wave })
  for (const [index, [shareBps, dueDays]] of (
    [
      [4_000, 7],
      [3_000, 60],
      [3_000, 120],
    ] as const
  ).entries())
    await insert('installmentTerms', { planId: plan, sortOrder: index + 1, shareBps, dueDays })

  const test = await insert('tests', {
    code: 'TPA',
    name: 'Tes potensi akademik',
    kind: 'cbt',
    maxScore: 100,
    weight: 1,
    passingGrade: 50,
  })
  const testSession = await insert('testSessions', {
    waveId: wave,
    trackId: regular,
    name: 'Sesi 1',
    date: dateOf(10),
    startTime: '09:00',
    endTime: '11:00',
    mode: 'onsite',
    location: 'Laboratorium komputer 1',
    capacity: 10,
    bookingOpensAt: daysFromNow(-10),
    bookingClosesAt: daysFromNow(9),
  })
  await (db as any).insertInto('testSessionTests').values({ testSessionId: testSession, testId: test }).execute()

  const province = await findOrInsert('provinces', 'code', { code: '35', name: 'Jawa Timur' })
  const city = await findOrInsert('cities', 'code', {
    code: '35.78',
    name: 'Kota Surabaya',
    kind: 'kota',
    provinceId: province,
  })
  const district = await findOrInsert('districts', 'code', { code: '35.78.01', name: 'Karangpilang', cityId: city })
  const village = await findOrInsert('villages', 'code', {
    code: '35.78.01.1001',
    name: 'Karangpilang',
    districtId: district,
  })
  const schoolType = await findOrInsert('schoolTypes', 'code', { code: 'SMA', name: 'SMA' })
  const schoolMajor = await insert('schoolMajors', { schoolTypeId: schoolType, name: 'Jurusan contoh' })
  const school = await insert('schools', {
    npsn: '20500001',
    name: 'SMA Negeri Contoh 1',
    schoolTypeId: schoolType,
    status: 'negeri',
    cityId: city,
    districtId: district,
    verified: true,
  })
  const religion = await findOrInsert('religions', 'code', { code: '1', name: 'Islam' })
  const ethnicGroup = await findOrInsert('ethnicGroups', 'name', { name: 'Jawa' })

  return {
    faculty,
    degreeLevel,
    entryLevel,
    classProgramme,
    programmes,
    programmeDetails,
    wave,
    tracks: { regular, achievement },
    trackDetails,
    trackFiles,
    feeComponents,
    registrationFee,
    plan,
    test,
    testSession,
    province,
    city,
    district,
    village,
    schoolType,
    schoolMajor,
    school,
    religion,
    ethnicGroup,
  }
}
