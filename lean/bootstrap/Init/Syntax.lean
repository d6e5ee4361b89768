/-
The types through which the parser and the macro expander talk to a Lean file. Core declares these names;
the run-time code behind them is the compiled code of the library, reached by `@[extern]`, so the bodies here
are placeholders that never run. No theorem mentions any of these types (see `CHECKED.md`).
-/
prelude
import Init.Nat
set_option linter.all false
universe u v w

structure Array (α : Type u) where
  mk ::
  toList : List α
structure ByteArray where
  data : Array Nat
structure String where
  ofByteArray ::
  toByteArray : ByteArray
structure String.Pos.Raw where
  byteIdx : Nat
structure Substring.Raw where
  str : String
  startPos : String.Pos.Raw
  stopPos : String.Pos.Raw
@[extern "l_String_toRawSubstring"] def String.toRawSubstring (s : String) : Substring.Raw := ⟨s, ⟨0⟩, ⟨0⟩⟩

namespace Lean
inductive Name where
  | anonymous : Name
  | str (pre : Name) (str : String)
  | num (pre : Name) (i : Nat)
@[extern "lean_name_mk_string"] def Name.mkStr (p : Name) (s : String) : Name := Name.str p s
@[extern "l_Lean_Name_mkSimple"] def Name.mkSimple (s : String) : Name := Name.str Name.anonymous s
@[extern "lean_name_mk_numeral"] def Name.mkNum (p : Name) (s : Nat) : Name := Name.num p s
@[extern "l_Lean_Name_mkStr1"] def Name.mkStr1 (s1 : String) : Name := Name.mkStr Name.anonymous s1
@[extern "l_Lean_Name_mkStr2"] def Name.mkStr2 (s1 s2 : String) : Name := Name.mkStr (mkStr1 s1) s2
@[extern "l_Lean_Name_mkStr3"] def Name.mkStr3 (s1 s2 s3 : String) : Name := Name.mkStr (mkStr2 s1 s2) s3
@[extern "l_Lean_Name_mkStr4"] def Name.mkStr4 (s1 s2 s3 s4 : String) : Name := Name.mkStr (mkStr3 s1 s2 s3) s4
@[extern "l_Lean_Name_mkStr5"] def Name.mkStr5 (s1 s2 s3 s4 s5 : String) : Name := Name.mkStr (mkStr4 s1 s2 s3 s4) s5
inductive ParserDescr where
  | const  (name : Name)
  | unary  (name : Name) (p : ParserDescr)
  | binary (name : Name) (p₁ p₂ : ParserDescr)
  | node (kind : Name) (prec : Nat) (p : ParserDescr)
  | trailingNode (kind : Name) (prec lhsPrec : Nat) (p : ParserDescr)
  | symbol (val : String)
  | nonReservedSymbol (val : String) (includeIdent : Bool)
  | cat (catName : Name) (rbp : Nat)
  | parser (declName : Name)
  | nodeWithAntiquot (name : String) (kind : Name) (p : ParserDescr)
  | sepBy  (p : ParserDescr) (sep : String) (psep : ParserDescr) (allowTrailingSep : Bool)
  | sepBy1 (p : ParserDescr) (sep : String) (psep : ParserDescr) (allowTrailingSep : Bool)
  | unicodeSymbol (val asciiVal : String) (preserveForPP : Bool)
abbrev TrailingParserDescr := ParserDescr
end Lean
@[extern "lean_array_push"] def Array.push {α : Type u} (a : Array α) (v : α) : Array α := a
@[extern "lean_mk_empty_array_with_capacity"] def Array.mkEmpty {α : Type u} (c : Nat) : Array α := Array.mk List.nil
namespace Lean
inductive SourceInfo where
  | original (leading : Substring.Raw) (pos : String.Pos.Raw) (trailing : Substring.Raw) (endPos : String.Pos.Raw)
  | synthetic (pos : String.Pos.Raw) (endPos : String.Pos.Raw) (canonical : Bool)
  | none
inductive Syntax.Preresolved where
  | «namespace» (ns : Name)
  | decl (n : Name) (fields : List String)
inductive Syntax where
  | missing : Syntax
  | node   (info : SourceInfo) (kind : Name) (args : Array Syntax) : Syntax
  | atom   (info : SourceInfo) (val : String) : Syntax
  | ident  (info : SourceInfo) (rawVal : Substring.Raw) (val : Name) (preresolved : List Syntax.Preresolved) : Syntax
@[extern "l_Lean_mkAtom"] def mkAtom (val : String) : Syntax := Syntax.missing
structure Macro.Context where
  methods : Unit
  quotContext : Name
  currMacroScope : Nat
  currRecDepth : Nat
  maxRecDepth : Nat
  ref : Syntax
inductive Macro.Exception where
  | error : Syntax → String → Macro.Exception
  | unsupportedSyntax : Macro.Exception
structure Macro.State where
  macroScope : Nat
  traceMsgs : List (Prod Name String)
  expandedMacroDecls : List Name
end Lean
inductive EStateM.Result (ε σ α : Type u) : Type u where
  | ok : α → σ → EStateM.Result ε σ α
  | error : ε → σ → EStateM.Result ε σ α
def EStateM (ε σ α : Type u) := σ → EStateM.Result ε σ α
def ReaderT (ρ : Type u) (m : Type u → Type v) (α : Type u) : Type (max u v) := ρ → m α
namespace Lean
abbrev MacroM := ReaderT Macro.Context (EStateM Macro.Exception Macro.State)
abbrev Macro := Syntax → MacroM Syntax
end Lean
@[extern "l_Array_empty"] def Array.empty {α : Type u} : Array α := Array.mk List.nil
@[reducible] def autoParam (α : Sort u) (tactic : Lean.Syntax) : Sort u := α
