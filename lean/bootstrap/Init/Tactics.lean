/-
Core's own tactics. Their parsers and macros are compiled into the library; a declaration with exactly core's
name and `@[extern]` makes them available. The bodies are placeholders that never run, and no proof term
mentions these names: a wrong one means a parse error, never an unsound proof.
-/
prelude
import Init.Syntax
set_option linter.all false

namespace Lean.Parser.Tactic

/-! ### parsers -/

@[extern "l_Lean_Parser_Tactic_posConfigItem"]
def posConfigItem : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_negConfigItem"]
def negConfigItem : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_valConfigItem"]
def valConfigItem : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_configItem"]
def configItem : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_optConfig"]
def optConfig : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_config"]
def config : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_locationWildcard"]
def locationWildcard : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_locationType"]
def locationType : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_locationHyp"]
def locationHyp : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_location"]
def location : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_rwRule"]
def rwRule : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_rwRuleSeq"]
def rwRuleSeq : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_inductionAltLHS"]
def inductionAltLHS : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_inductionAlt"]
def inductionAlt : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_inductionAlts"]
def inductionAlts : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_elimTarget"]
def elimTarget : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_caseArg"]
def caseArg : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_intro", tactic_parser 1000]
def intro : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_intros", tactic_parser 1000]
def intros : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_exact", tactic_parser 1000]
def exact : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_apply", tactic_parser 1000]
def apply : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_refine", tactic_parser 1000]
def refine : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_constructor", tactic_parser 1000]
def constructor : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_assumption", tactic_parser 1000]
def assumption : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_change", tactic_parser 1000]
def change : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_subst", tactic_parser 1000]
def subst : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_specialize", tactic_parser 1000]
def specialize : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_contradiction", tactic_parser 1000]
def contradiction : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_decide", tactic_parser 1000]
def decide : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_eqRefl", tactic_parser 1000]
def eqRefl : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_unfold", tactic_parser 1000]
def «unfold» : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_rewriteSeq", tactic_parser 1000]
def rewriteSeq : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_induction", tactic_parser 1000]
def induction : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_cases", tactic_parser 1000]
def cases : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_first", tactic_parser 1000]
def first : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_case", tactic_parser 1000]
def case : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_allGoals", tactic_parser 1000]
def allGoals : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_left", tactic_parser 1000]
def left : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_right", tactic_parser 1000]
def right : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_injection", tactic_parser 1000]
def injection : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_tacticTry__", tactic_parser 1000]
def tacticTry_ : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_tacticRfl", tactic_parser 1000]
def tacticRfl : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_rwSeq", tactic_parser 1000]
def rwSeq : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_tacticLet____", tactic_parser 1000]
def tacticLet__ : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_tacticHave____", tactic_parser 1000]
def tacticHave__ : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_tacticRefine__lift__", tactic_parser 1000]
def tacticRefine_lift_ : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_tactic___x3c_x3b_x3e__", tactic_parser 1000]
def «tactic_<;>_» : TrailingParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_tacticExfalso", tactic_parser 1000]
def tacticExfalso : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_show", tactic_parser 1000]
def «show» : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_replace", tactic_parser 1000]
def replace : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_tacticSuffices__", tactic_parser 1000]
def tacticSuffices_ : ParserDescr := .const .anonymous
@[extern "l_Lean_Parser_Tactic_withReducible", tactic_parser 1000]
def withReducible : ParserDescr := .const .anonymous

end Lean.Parser.Tactic

/-! ### macros -/

@[extern "l_Lean_Parser_Tactic___aux__Init__Tactics______macroRules__Lean__Parser__Tactic__tacticTry____1", macro Lean.Parser.Tactic.tacticTry_]
def Lean.Parser.Tactic.«_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTry__1» : Lean.Macro := fun s _ c => .ok s c
@[extern "l_Lean_Parser_Tactic___aux__Init__Tactics______macroRules__Lean__Parser__Tactic__tacticRfl__1", macro Lean.Parser.Tactic.tacticRfl]
def Lean.Parser.Tactic.«_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRfl_1» : Lean.Macro := fun s _ c => .ok s c
@[extern "l_Lean_Parser_Tactic___aux__Init__Tactics______macroRules__Lean__Parser__Tactic__tacticRfl__2", macro Lean.Parser.Tactic.tacticRfl]
def Lean.Parser.Tactic.«_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRfl_2» : Lean.Macro := fun s _ c => .ok s c
@[extern "l_Lean_Parser_Tactic___aux__Init__Tactics______macroRules__Lean__Parser__Tactic__tacticRfl__3", macro Lean.Parser.Tactic.tacticRfl]
def Lean.Parser.Tactic.«_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRfl_3» : Lean.Macro := fun s _ c => .ok s c
@[extern "l_Lean_Parser_Tactic___aux__Init__Tactics______macroRules__Lean__Parser__Tactic__rwSeq__1", macro Lean.Parser.Tactic.rwSeq]
def Lean.Parser.Tactic.«_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_rwSeq_1» : Lean.Macro := fun s _ c => .ok s c
@[extern "l_Lean_Parser_Tactic___aux__Init__Tactics______macroRules__Lean__Parser__Tactic__tacticLet______1", macro Lean.Parser.Tactic.tacticLet__]
def Lean.Parser.Tactic.«_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticLet___1» : Lean.Macro := fun s _ c => .ok s c
@[extern "l_Lean_Parser_Tactic___aux__Init__Tactics______macroRules__Lean__Parser__Tactic__tacticHave______1", macro Lean.Parser.Tactic.tacticHave__]
def Lean.Parser.Tactic.«_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticHave___1» : Lean.Macro := fun s _ c => .ok s c
@[extern "l_Lean_Parser_Tactic___aux__Init__Tactics______macroRules__Lean__Parser__Tactic__tacticRefine__lift____1", macro Lean.Parser.Tactic.tacticRefine_lift_]
def Lean.Parser.Tactic.«_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRefine_lift__1» : Lean.Macro := fun s _ c => .ok s c
@[extern "l_Lean_Parser_Tactic___aux__Init__Tactics______macroRules__Lean__Parser__Tactic__tactic___x3c_x3b_x3e____1", macro Lean.Parser.Tactic.«tactic_<;>_»]
def Lean.Parser.Tactic.«_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tactic_<;>__1» : Lean.Macro := fun s _ c => .ok s c
@[extern "l_Lean_Parser_Tactic___aux__Init__Tactics______macroRules__Lean__Parser__Tactic__tacticExfalso__1", macro Lean.Parser.Tactic.tacticExfalso]
def Lean.Parser.Tactic.«_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticExfalso_1» : Lean.Macro := fun s _ c => .ok s c
@[extern "l_Lean_Parser_Tactic___aux__Init__Tactics______macroRules__Lean__Parser__Tactic__tacticSuffices____1", macro Lean.Parser.Tactic.tacticSuffices_]
def Lean.Parser.Tactic.«_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticSuffices__1» : Lean.Macro := fun s _ c => .ok s c

namespace Lean

/-! ### `·` and `calc` -/

@[extern "l_Lean_cdotTk"]
def cdotTk : ParserDescr := .const .anonymous
@[extern "l_Lean_cdot", tactic_parser 1000]
def cdot : ParserDescr := .const .anonymous
@[extern "l_Lean_calcFirstStep"]
def calcFirstStep : ParserDescr := .const .anonymous
@[extern "l_Lean_calcStep"]
def calcStep : ParserDescr := .const .anonymous
@[extern "l_Lean_calcSteps"]
def calcSteps : ParserDescr := .const .anonymous
@[extern "l_Lean_calc", term_parser 1000]
def calc : ParserDescr := .const .anonymous
@[extern "l_Lean_calcTactic", tactic_parser 1000]
def calcTactic : ParserDescr := .const .anonymous

end Lean
