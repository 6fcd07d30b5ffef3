" Vim syntax file
" Language: Rehearse transcripts: commands and their expected output
" Generated from the definitions of the commands; do not edit it.

if exists("b:current_syntax")
  finish
endif
syntax case match
syntax include @rehearse syntax/rehearse.vim
unlet! b:current_syntax

syntax match transcriptComment /^#.*/
syntax region transcriptCommand matchgroup=transcriptPrompt start=/^> \?/ end=/$/ oneline keepend contains=@rehearseParts
syntax region transcriptCommand matchgroup=transcriptPrompt start=/^\. \?/ end=/$/ oneline keepend contains=@rehearseArguments

syntax region transcriptOutput start=/^  / end=/$/ oneline keepend contains=@transcriptParts
syntax cluster transcriptParts contains=transcriptError,transcriptHint,transcriptPlace,transcriptPattern,transcriptInstant,transcriptState,rehearseText,rehearseAttempt
syntax match transcriptState /\<\%(absent\|loading\|loaded\|error\|idle\|running\|finished\|failed\)\>/ contained
syntax match transcriptPattern /\[\.\.\]\|{{.\{-}}}\|\%(^  \)\@<=\.\.\.$/ contained
syntax match transcriptInstant /\%(^  \s*\)\@<=\d\+\%(\.\d\+\)\?s\>/ contained
syntax match transcriptPlace /\%(^  \s*\)\@<=^\~*\s*$/ contained
syntax match transcriptHint /\%(^  \)\@<=hint: .*/ contained
syntax match transcriptError /\%(^  \)\@<=\%(\S\+:\d\+: \)\?error: .*/ contained

syntax region transcriptFile matchgroup=transcriptFileName start=/^-- \S.* --$/ end=/\%(^-- \S.* --$\)\@=/
syntax region transcriptScript matchgroup=transcriptFileName start=/^-- \S.*\.rehearse --$/ end=/\%(^-- \S.* --$\)\@=/ contains=@rehearse
syntax sync fromstart

highlight default link transcriptComment Comment
highlight default link transcriptPrompt Special
highlight default link transcriptState Constant
highlight default link transcriptPattern Special
highlight default link transcriptInstant Number
highlight default link transcriptPlace Error
highlight default link transcriptHint Todo
highlight default link transcriptError ErrorMsg
highlight default link transcriptFileName Title

let b:current_syntax = "transcript"
