from recte.studies.papers.reproduction import reproduce as reproduce
