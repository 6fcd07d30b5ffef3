autocmd BufRead,BufNewFile *.transcript setfiletype transcript
autocmd BufRead,BufNewFile *.rehearse setfiletype rehearse
