/**
 * Example rows of the empty workbook, by sheet and field, as people type them. Together they describe a small
 * university that can be imported once the marks are removed.
 */
export const exampleRows: Readonly<Record<string, readonly Readonly<Record<string, string | number>>[]>> = {
  fakultas: [
    { code: 'FT', name: 'Fakultas Teknik', nameEn: 'Faculty of Engineering', dean: 'Dr. Ir. Sari Wulandari, M.T.' },
  ],
  jenjang: [{ code: 'S1', name: 'Sarjana', nameEn: 'Bachelor', pddiktiCode: '30', sortOrder: 3 }],
  'jenjang-pendaftaran': [{ code: 'BARU', name: 'Mahasiswa baru', degreeLevelId: 'S1', minimumEducation: 'sma' }],
  program: [
    {
      code: 'PAGI',
      name: 'Kelas Pagi',
      description: 'Kuliah Senin sampai Jumat, pagi hingga sore.',
      nameEn: 'Day class',
      descriptionEn: 'Lectures from Monday to Friday, morning to afternoon.',
    },
  ],
  prodi: [
    {
      code: 'IF',
      name: 'Informatika',
      nameEn: 'Informatics',
      facultyId: 'FT',
      degreeLevelId: 'S1',
      accreditation: 'baik_sekali',
      npmCode: '55',
    },
  ],
  periode: [
    {
      code: 'G1-27',
      academicYear: '2027/2028',
      name: 'Gelombang 1',
      semesterCode: '20271',
      opensAt: '2027-01-04 08:00',
      closesAt: '2027-03-31 23:59',
      resultsAt: '2027-04-12 10:00',
      confirmationDueAt: '2027-04-26 23:59',
    },
  ],
  jalur: [
    {
      code: 'REG',
      name: 'Reguler',
      kind: 'regular',
      hasTest: 'ya',
      maxChoices: 2,
      pddiktiTrackCode: '12',
      nameEn: 'Regular',
      audience: 'Untuk lulusan SMA, SMK, atau MA yang siap mengikuti tes masuk.',
    },
  ],
  'rincian-dana': [
    {
      code: 'SPP',
      name: 'SPP semester',
      recurrence: 'per_semester',
      refundable: 'ya',
      allocationPriority: 20,
      nameEn: 'Tuition per semester',
      description: 'Uang kuliah satu semester.',
      descriptionEn: 'Lectures of one semester.',
    },
  ],
  'prodi-detail': [
    {
      programmeId: 'IF',
      waveId: 'G1-27',
      classProgrammeId: 'PAGI',
      entryLevelId: 'BARU',
      capacity: 120,
      open: 'ya',
    },
  ],
  'uang-kuliah': [
    {
      programmeId: 'IF',
      waveId: 'G1-27',
      classProgrammeId: 'PAGI',
      feeComponentId: 'SPP',
      amount: 6_500_000,
      installmentsAllowed: 'ya',
    },
  ],
  'jalur-detail': [
    {
      trackId: 'REG',
      waveId: 'G1-27',
      entryLevelId: 'BARU',
      opensAt: '2027-01-04 08:00',
      closesAt: '2027-03-31 23:59',
      paymentDueAt: '2027-04-02 23:59',
    },
  ],
  'jalur-file': [
    { trackId: 'REG', name: 'Kartu Keluarga', required: 'ya', acceptedTypes: 'pdf; jpg; png', maxMb: 5, sortOrder: 1 },
  ],
  'list-test': [{ code: 'TPA', name: 'Tes Potensi Akademik', kind: 'cbt', maxScore: 100, weight: 1, passingGrade: 55 }],
  'jadwal-test': [
    {
      waveId: 'G1-27',
      trackId: 'REG',
      testIds: 'TPA',
      name: 'Sesi 1',
      date: '2027-04-05',
      startTime: '08:00',
      endTime: '10:30',
      mode: 'onsite',
      location: 'Gedung A, ruang 101',
      capacity: 120,
    },
  ],
  'biaya-pendaftaran': [{ waveId: 'G1-27', trackId: 'REG', amount: 250_000 }],
  cicilan: [{ code: 'CICIL2', name: 'Dua kali', waveId: 'G1-27' }],
  'cicilan-termin': [
    { planId: 'CICIL2', sortOrder: 1, shareBps: '60%', dueDays: 14 },
    { planId: 'CICIL2', sortOrder: 2, shareBps: '40%', dueDays: 90 },
  ],
  sumbangan: [
    { waveId: 'G1-27', trackId: 'REG', required: 'tidak', minimumAmount: 0, suggestedAmounts: '500000; 1000000' },
  ],
}
