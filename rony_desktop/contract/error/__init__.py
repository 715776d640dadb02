"""The error tree. Every error has a code, parameters, an English sentence and a remedy.

RonyError
  ToolError            ToolNotFoundError ToolDeniedError ToolTimeoutError ToolArgumentsError
                       ToolFileError ToolChangedError ResultMissing ToolRegistryError
                       WorkspaceMissing ToolReplyError
  SandboxViolationError (also PermissionError)
  LimitError
  ProviderError        ProviderUnavailable (ProviderLoading NetworkOffline) ProviderRefused
                       ContextOverflow StreamBroken EmptyAnswer
  EngineError          BinaryNotFound BinaryMissing BinaryUnusable EngineNotReady EngineStopped
                       EngineBusy EngineHung DeviceLost
    EngineDied         EngineKilled EngineUnsuited EngineOutOfMemory EnginePortTaken
                       EngineFlagUnknown WorkerUnreachable
    InstallError       InstallChecksum InstallUnsafe InstallFailed InstallBusy BuildUnknown
  ModelFileError       ModelUnknown NoModel ModelMissing ModelForeign ModelCut ModelArchitecture
                       NotAChatModel ModelTemplate ModelNotLinked ModelNotMerged
                       ModelKept
  HubError             HubUnreachable (HubSilent HubDown) HubBusy HubOffline HubUntrusted HubGated
                       HubUnauthorised HubMissing HubForeign HubWithheld QuantUnknown
  DownloadError        DownloadFull DownloadUnwritable ChecksumMismatch UpstreamChanged
                       DownloadStalled DownloadBusy DownloadHeld
  PlanError            PlanTooLarge LaunchLowered
  BenchmarkError
  ConfigError          ConfigUnreadable ConfigValue WorkspaceConfigIgnored
  PersonaError
  SessionError         SessionMissing SessionForeign SessionTorn SessionBusy
  StorageError         DiskFull FolderUnwritable OutsideFolder (also PermissionError)

Who raises and who words them sees one page: a family a file, all of them named here.

str(error) is the English sentence for the command line and the log. The window translates code and
parameters (ui/error.py) and never shows str(error).
"""

from rony_desktop.contract.error.config import (
    ConfigError as ConfigError,
    ConfigUnreadable as ConfigUnreadable,
    ConfigValue as ConfigValue,
    PersonaError as PersonaError,
    WorkspaceConfigIgnored as WorkspaceConfigIgnored,
)
from rony_desktop.contract.error.download import (
    ChecksumMismatch as ChecksumMismatch,
    DownloadBusy as DownloadBusy,
    DownloadError as DownloadError,
    DownloadFull as DownloadFull,
    DownloadHeld as DownloadHeld,
    DownloadStalled as DownloadStalled,
    DownloadUnwritable as DownloadUnwritable,
    HubBusy as HubBusy,
    HubDown as HubDown,
    HubError as HubError,
    HubForeign as HubForeign,
    HubGated as HubGated,
    HubMissing as HubMissing,
    HubOffline as HubOffline,
    HubSilent as HubSilent,
    HubUnauthorised as HubUnauthorised,
    HubUnreachable as HubUnreachable,
    HubUntrusted as HubUntrusted,
    HubWithheld as HubWithheld,
    QuantUnknown as QuantUnknown,
    UpstreamChanged as UpstreamChanged,
)
from rony_desktop.contract.error.engine import (
    BinaryMissing as BinaryMissing,
    BinaryNotFound as BinaryNotFound,
    BinaryUnusable as BinaryUnusable,
    BuildUnknown as BuildUnknown,
    DeviceLost as DeviceLost,
    EngineBusy as EngineBusy,
    EngineDied as EngineDied,
    EngineError as EngineError,
    EngineFlagUnknown as EngineFlagUnknown,
    EngineHung as EngineHung,
    EngineKilled as EngineKilled,
    EngineNotReady as EngineNotReady,
    EngineOutOfMemory as EngineOutOfMemory,
    EnginePortTaken as EnginePortTaken,
    EngineStopped as EngineStopped,
    EngineUnsuited as EngineUnsuited,
    InstallBusy as InstallBusy,
    InstallChecksum as InstallChecksum,
    InstallError as InstallError,
    InstallFailed as InstallFailed,
    InstallUnsafe as InstallUnsafe,
    WorkerUnreachable as WorkerUnreachable,
)
from rony_desktop.contract.error.model import (
    BenchmarkError as BenchmarkError,
    LaunchLowered as LaunchLowered,
    ModelArchitecture as ModelArchitecture,
    ModelCut as ModelCut,
    ModelFileError as ModelFileError,
    ModelForeign as ModelForeign,
    ModelKept as ModelKept,
    ModelMissing as ModelMissing,
    ModelNotLinked as ModelNotLinked,
    ModelNotMerged as ModelNotMerged,
    ModelTemplate as ModelTemplate,
    ModelUnknown as ModelUnknown,
    NoModel as NoModel,
    NotAChatModel as NotAChatModel,
    PlanError as PlanError,
    PlanTooLarge as PlanTooLarge,
)
from rony_desktop.contract.error.provider import (
    ContextOverflow as ContextOverflow,
    EmptyAnswer as EmptyAnswer,
    NetworkOffline as NetworkOffline,
    ProviderError as ProviderError,
    ProviderLoading as ProviderLoading,
    ProviderRefused as ProviderRefused,
    ProviderUnavailable as ProviderUnavailable,
    StreamBroken as StreamBroken,
)
from rony_desktop.contract.error.root import (
    Action as Action,
    Failure as Failure,
    RonyError as RonyError,
    error_class as error_class,
    error_classes as error_classes,
    fill as fill,
)
from rony_desktop.contract.error.store import (
    DiskFull as DiskFull,
    FolderUnwritable as FolderUnwritable,
    OutsideFolder as OutsideFolder,
    SessionBusy as SessionBusy,
    SessionError as SessionError,
    SessionForeign as SessionForeign,
    SessionMissing as SessionMissing,
    SessionTorn as SessionTorn,
    StorageError as StorageError,
    StorageUnreadable as StorageUnreadable,
)
from rony_desktop.contract.error.tool import (
    LimitError as LimitError,
    ResultMissing as ResultMissing,
    SandboxViolationError as SandboxViolationError,
    ToolArgumentsError as ToolArgumentsError,
    ToolChangedError as ToolChangedError,
    ToolDeniedError as ToolDeniedError,
    ToolError as ToolError,
    ToolFileError as ToolFileError,
    ToolNotFoundError as ToolNotFoundError,
    ToolRegistryError as ToolRegistryError,
    ToolReplyError as ToolReplyError,
    ToolTimeoutError as ToolTimeoutError,
    WorkspaceMissing as WorkspaceMissing,
)
