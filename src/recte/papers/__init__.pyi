from recte.papers.reproduction import reproduce as reproduce
