/-
Core's own term notation (`∧`, `∃`, `+`, `≤`, `[a, b]`, ...), found by name in the library like the tactics.
-/
prelude
import Init.Tactics
set_option linter.all false

@[extern "l_term___u2227__", term_parser 1000]
def «term_∧_» : Lean.TrailingParserDescr := .const .anonymous
@[extern "l___aux__Init__Notation______macroRules__term___u2227____1", macro «term_∧_»]
def «_aux_Init_Notation___macroRules_term_∧__1» : Lean.Macro := fun s _ c => .ok s c
@[extern "l_term___u2228__", term_parser 1000]
def «term_∨_» : Lean.TrailingParserDescr := .const .anonymous
@[extern "l___aux__Init__Notation______macroRules__term___u2228____1", macro «term_∨_»]
def «_aux_Init_Notation___macroRules_term_∨__1» : Lean.Macro := fun s _ c => .ok s c
@[extern "l_term_xac__", term_parser 1000]
def «term¬_» : Lean.ParserDescr := .const .anonymous
@[extern "l___aux__Init__Notation______macroRules__term_xac____1", macro «term¬_»]
def «_aux_Init_Notation___macroRules_term¬__1» : Lean.Macro := fun s _ c => .ok s c
@[extern "l_term___u2194__", term_parser 1000]
def «term_↔_» : Lean.TrailingParserDescr := .const .anonymous
@[extern "l___aux__Init__Core______macroRules__term___u2194____1", macro «term_↔_»]
def «_aux_Init_Core___macroRules_term_↔__1» : Lean.Macro := fun s _ c => .ok s c
@[extern "l_term___u2260__", term_parser 1000]
def «term_≠_» : Lean.TrailingParserDescr := .const .anonymous
@[extern "l___aux__Init__Core______macroRules__term___u2260____2", macro «term_≠_»]
def «_aux_Init_Core___macroRules_term_≠__2» : Lean.Macro := fun s _ c => .ok s c
@[extern "l___aux__Init__Core______macroRules__term___u2260____1", macro «term_≠_»]
def «_aux_Init_Core___macroRules_term_≠__1» : Lean.Macro := fun s _ c => .ok s c
@[extern "l_term_u2203___x2c__", term_parser 1000]
def «term∃_,_» : Lean.ParserDescr := .const .anonymous
@[extern "l___aux__Init__NotationExtra______macroRules__term_u2203___x2c____1", macro «term∃_,_»]
def «_aux_Init_NotationExtra___macroRules_term∃_,__1» : Lean.Macro := fun s _ c => .ok s c
@[extern "l_termIfThenElse", term_parser 1000]
def termIfThenElse : Lean.ParserDescr := .const .anonymous
@[extern "l___aux__Init__Notation______macroRules__termIfThenElse__1", macro termIfThenElse]
def «_aux_Init_Notation___macroRules_termIfThenElse_1» : Lean.Macro := fun s _ c => .ok s c
@[extern "l_termDepIfThenElse", term_parser 1000]
def termDepIfThenElse : Lean.ParserDescr := .const .anonymous
@[extern "l___aux__Init__Notation______macroRules__termDepIfThenElse__1", macro termDepIfThenElse]
def «_aux_Init_Notation___macroRules_termDepIfThenElse_1» : Lean.Macro := fun s _ c => .ok s c
@[extern "l_term___xd7__", term_parser 1000]
def «term_×_» : Lean.TrailingParserDescr := .const .anonymous
@[extern "l___aux__Init__Notation______macroRules__term___xd7____1", macro «term_×_»]
def «_aux_Init_Notation___macroRules_term_×__1» : Lean.Macro := fun s _ c => .ok s c
@[extern "l_term___x3d__", term_parser 1000]
def «term_=_» : Lean.TrailingParserDescr := .const .anonymous
@[extern "l___aux__Init__Notation______macroRules__term___x3d____2", macro «term_=_»]
def «_aux_Init_Notation___macroRules_term_=__2» : Lean.Macro := fun s _ c => .ok s c
@[extern "l___aux__Init__Notation______macroRules__term___x3d____1", macro «term_=_»]
def «_aux_Init_Notation___macroRules_term_=__1» : Lean.Macro := fun s _ c => .ok s c
@[extern "l_term___x2b__", term_parser 1000]
def «term_+_» : Lean.TrailingParserDescr := .const .anonymous
@[extern "l___aux__Init__Notation______macroRules__term___x2b____2", macro «term_+_»]
def «_aux_Init_Notation___macroRules_term_+__2» : Lean.Macro := fun s _ c => .ok s c
@[extern "l___aux__Init__Notation______macroRules__term___x2b____1", macro «term_+_»]
def «_aux_Init_Notation___macroRules_term_+__1» : Lean.Macro := fun s _ c => .ok s c
@[extern "l_term___x2a__", term_parser 1000]
def «term_*_» : Lean.TrailingParserDescr := .const .anonymous
@[extern "l___aux__Init__Notation______macroRules__term___x2a____2", macro «term_*_»]
def «_aux_Init_Notation___macroRules_term_*__2» : Lean.Macro := fun s _ c => .ok s c
@[extern "l___aux__Init__Notation______macroRules__term___x2a____1", macro «term_*_»]
def «_aux_Init_Notation___macroRules_term_*__1» : Lean.Macro := fun s _ c => .ok s c
@[extern "l_term___x2d__", term_parser 1000]
def «term_-_» : Lean.TrailingParserDescr := .const .anonymous
@[extern "l___aux__Init__Notation______macroRules__term___x2d____2", macro «term_-_»]
def «_aux_Init_Notation___macroRules_term_-__2» : Lean.Macro := fun s _ c => .ok s c
@[extern "l___aux__Init__Notation______macroRules__term___x2d____1", macro «term_-_»]
def «_aux_Init_Notation___macroRules_term_-__1» : Lean.Macro := fun s _ c => .ok s c
@[extern "l_term_x2d__", term_parser 1000]
def «term-_» : Lean.ParserDescr := .const .anonymous
@[extern "l___aux__Init__Notation______macroRules__term_x2d____2", macro «term-_»]
def «_aux_Init_Notation___macroRules_term-__2» : Lean.Macro := fun s _ c => .ok s c
@[extern "l___aux__Init__Notation______macroRules__term_x2d____1", macro «term-_»]
def «_aux_Init_Notation___macroRules_term-__1» : Lean.Macro := fun s _ c => .ok s c
@[extern "l_term___u2264__", term_parser 1000]
def «term_≤_» : Lean.TrailingParserDescr := .const .anonymous
@[extern "l___aux__Init__Notation______macroRules__term___u2264____2", macro «term_≤_»]
def «_aux_Init_Notation___macroRules_term_≤__2» : Lean.Macro := fun s _ c => .ok s c
@[extern "l___aux__Init__Notation______macroRules__term___u2264____1", macro «term_≤_»]
def «_aux_Init_Notation___macroRules_term_≤__1» : Lean.Macro := fun s _ c => .ok s c
@[extern "l_term___x3c__", term_parser 1000]
def «term_<_» : Lean.TrailingParserDescr := .const .anonymous
@[extern "l___aux__Init__Notation______macroRules__term___x3c____2", macro «term_<_»]
def «_aux_Init_Notation___macroRules_term_<__2» : Lean.Macro := fun s _ c => .ok s c
@[extern "l___aux__Init__Notation______macroRules__term___x3c____1", macro «term_<_»]
def «_aux_Init_Notation___macroRules_term_<__1» : Lean.Macro := fun s _ c => .ok s c
@[extern "l_term___x3a_x3a__", term_parser 1000]
def «term_::_» : Lean.TrailingParserDescr := .const .anonymous
@[extern "l___aux__Init__Notation______macroRules__term___x3a_x3a____1", macro «term_::_»]
def «_aux_Init_Notation___macroRules_term_::__1» : Lean.Macro := fun s _ c => .ok s c
@[extern "l_term_x25_x5b___x7c___x5d", term_parser 1000]
def «term%[_|_]» : Lean.ParserDescr := .const .anonymous
@[extern "l___aux__Init__NotationExtra______macroRules__term_x25_x5b___x7c___x5d__1", macro «term%[_|_]»]
def «_aux_Init_NotationExtra___macroRules_term%[_|_]_1» : Lean.Macro := fun s _ c => .ok s c
@[extern "l_term_x5b___x5d", term_parser 1000]
def «term[_]» : Lean.ParserDescr := .const .anonymous
@[extern "l_Lean___aux__Init__Data__List__Notation______macroRules__term_x5b___x5d__1", macro «term[_]»]
def Lean.«_aux_Init_Data_List_Notation___macroRules_term[_]_1» : Lean.Macro := fun s _ c => .ok s c
@[extern "l_rawNatLit", term_parser 1000]
def rawNatLit : Lean.ParserDescr := .const .anonymous
