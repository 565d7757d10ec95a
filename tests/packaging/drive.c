// A small importer in C, for every platform of FMUs: loads the library of an FMU, runs it as a master does, and prints the
// outputs with 17 digits, which distinguish all doubles.
//
//   drive <2|3> <library> <token> <resources> run <input> <value> <output>...
//   drive … save <file> <input> <value> <output>...      also writes the state at half time
//   drive … restore <file> <input> <value> <output>...   begins with that state, at half time
//   drive … discard <limit> <input> <value> <output>...  at half time also a long step that fails: <limit> is solver.max_substeps
//   drive … threads <input> <value> <output>...          eight instances at once, each in a separate thread
//   drive … fail <input>                                 calls that have to be refused
//
// Inputs and outputs are value references, an input may be - for none; <resources> is a URI or a path, according to the
// version of FMI.

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fmi2Functions.h"
#include "fmi3Functions.h"

#ifdef _WIN32
#include <windows.h>
static void* library;
static void open_library(const char* file) { library = (void*)LoadLibraryA(file); }
static void* symbol(const char* name) { return (void*)GetProcAddress((HMODULE)library, name); }
typedef HANDLE Thread;
#else
#include <dlfcn.h>
#include <pthread.h>
static void* library;
static void open_library(const char* file) {
  library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) fprintf(stderr, "%s\n", dlerror());
}
static void* symbol(const char* name) { return dlsym(library, name); }
typedef pthread_t Thread;
#endif

enum { most_outputs = 64, threads = 8, steps = 500 };
static const double step_size = 0.01;

static int version;
static const char* token;
static const char* resources;

static void fail(const char* what) {
  fprintf(stderr, "drive: %s\n", what);
  exit(1);
}

static void* function(const char* name) {
  char full[100];
  snprintf(full, sizeof full, "fmi%d%s", version, name);
  void* found = symbol(full);
  if (found == NULL) fail(full);
  return found;
}

#define FMI2(name) ((fmi2##name##TYPE*)function(#name))
#define FMI3(name) ((fmi3##name##TYPE*)function(#name))

static void tell2(fmi2ComponentEnvironment environment, fmi2String instance, fmi2Status status,
                  fmi2String category, fmi2String message, ...) {
  va_list arguments;
  va_start(arguments, message);
  printf("log %d %s ", (int)status, category);
  vprintf(message, arguments);
  printf("\n");
  va_end(arguments);
  (void)environment, (void)instance;
}

static void tell3(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                  fmi3String message) {
  printf("log %d %s %s\n", (int)status, category, message);
  (void)environment;
}

static const fmi2CallbackFunctions callbacks2 = {tell2, calloc, free, NULL, NULL};

static void* instantiate(const char* with_token) {
  if (version == 2)
    return FMI2(Instantiate)("instance", fmi2CoSimulation, with_token, resources, &callbacks2,
                             fmi2False, fmi2False);
  return FMI3(InstantiateCoSimulation)("instance", with_token, resources, fmi3False, fmi3False,
                                       fmi3False, fmi3False, NULL, 0, NULL, tell3, NULL);
}

static int set(void* instance, unsigned reference, double value) {
  if (version == 2) return FMI2(SetReal)(instance, &reference, 1, &value);
  return FMI3(SetFloat64)(instance, &reference, 1, &value, 1);
}

static int set_integer(void* instance, unsigned reference, int value) {
  if (version == 2) return FMI2(SetInteger)(instance, &reference, 1, &value);
  const fmi3Int64 wide = value;
  return FMI3(SetInt64)(instance, &reference, 1, &wide, 1);
}

static int get(void* instance, const unsigned* references, size_t count, double* values) {
  if (version == 2) return FMI2(GetReal)(instance, references, count, values);
  return FMI3(GetFloat64)(instance, references, count, values, count);
}

static int do_step(void* instance, double time, double size) {
  if (version == 2) return FMI2(DoStep)(instance, time, size, fmi2True);
  fmi3Boolean event = 0, terminate = 0, early = 0;
  fmi3Float64 reached = 0;
  return FMI3(DoStep)(instance, time, size, fmi3True, &event, &terminate, &early, &reached);
}

static int initialize(void* instance) {
  if (version == 2)
    return FMI2(SetupExperiment)(instance, fmi2False, 0, 0, fmi2False, 0) +
           FMI2(EnterInitializationMode)(instance) + FMI2(ExitInitializationMode)(instance);
  return FMI3(EnterInitializationMode)(instance, fmi3False, 0, 0, fmi3False, 0) +
         FMI3(ExitInitializationMode)(instance);
}

static void end(void* instance) {
  if (version == 2) {
    if (FMI2(Terminate)(instance) != fmi2OK) fail("fmi2Terminate");
    FMI2(FreeInstance)(instance);
  } else {
    if (FMI3(Terminate)(instance) != fmi3OK) fail("fmi3Terminate");
    FMI3(FreeInstance)(instance);
  }
}

/// The bytes of the state at this moment.
static unsigned char* serialized(void* instance, size_t* size) {
  unsigned char* bytes = NULL;
  int status;
  if (version == 2) {
    fmi2FMUstate state = NULL;
    status =
        FMI2(GetFMUstate)(instance, &state) + FMI2(SerializedFMUstateSize)(instance, state, size);
    bytes = malloc(*size);
    status += FMI2(SerializeFMUstate)(instance, state, (fmi2Byte*)bytes, *size) +
              FMI2(FreeFMUstate)(instance, &state);
  } else {
    fmi3FMUState state = NULL;
    status =
        FMI3(GetFMUState)(instance, &state) + FMI3(SerializedFMUStateSize)(instance, state, size);
    bytes = malloc(*size);
    status += FMI3(SerializeFMUState)(instance, state, bytes, *size) +
              FMI3(FreeFMUState)(instance, &state);
  }
  if (status != 0) fail("the state is not saved");
  return bytes;
}

static void restore(void* instance, const unsigned char* bytes, size_t size) {
  int status;
  if (version == 2) {
    fmi2FMUstate state = NULL;
    status = FMI2(DeSerializeFMUstate)(instance, (const fmi2Byte*)bytes, size, &state);
    if (status == 0)
      status = FMI2(SetFMUstate)(instance, state) + FMI2(FreeFMUstate)(instance, &state);
  } else {
    fmi3FMUState state = NULL;
    status = FMI3(DeserializeFMUState)(instance, bytes, size, &state);
    if (status == 0)
      status = FMI3(SetFMUState)(instance, state) + FMI3(FreeFMUState)(instance, &state);
  }
  if (status != 0) fail("the state is refused");
}

struct Run {
  int has_input;
  unsigned input;
  double value;
  unsigned outputs[most_outputs];
  size_t count;
  const char *save, *restore, *limit;
  double half[most_outputs], at_end[most_outputs];
};

static void write_state(void* instance, const char* name) {
  size_t size = 0;
  unsigned char* bytes = serialized(instance, &size);
  FILE* file = fopen(name, "wb");
  if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
    fail("the state is not written");
  free(bytes);
}

static void read_state(void* instance, const char* name) {
  static unsigned char bytes[1 << 20];
  FILE* file = fopen(name, "rb");
  if (file == NULL) fail("there is no such state");
  const size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  restore(instance, bytes, size);
  // the restored state has the same bytes
  size_t again = 0;
  unsigned char* saved = serialized(instance, &again);
  if (again != size || memcmp(bytes, saved, size) != 0)
    fail("the state that was set is not the one that is saved");
  free(saved);
}

static void print_values(const char* when, const double* values, size_t count) {
  printf("%s", when);
  for (size_t i = 0; i < count; ++i) printf(" %.17g", values[i]);
  printf("\n");
}

/// A step of more substeps than the limit: prints its status and the outputs after it. In FMI 2.0 it ends at the last good
/// substep, and a saved state takes the instance back; in FMI 3.0 it leaves no trace.
static void discarded_step(void* instance, const struct Run* run, double time) {
  size_t size = 0;
  unsigned char* before = serialized(instance, &size);
  printf("long step: %d\n", do_step(instance, time, 100));
  double left[most_outputs];
  if (get(instance, run->outputs, run->count, left) != 0) fail("outputs");
  print_values("left", left, run->count);
  if (version == 2) restore(instance, before, size);
  size_t again = 0;
  unsigned char* after = serialized(instance, &again);
  if (again != size || memcmp(before, after, size) != 0) fail("the step has left a trace");
  free(before);
  free(after);
}

static void drive(struct Run* run) {
  void* instance = instantiate(token);
  if (instance == NULL) fail("there is no instance");
  if (run->limit != NULL && set_integer(instance, (unsigned)atoi(run->limit), 50) != 0)
    fail("the limit of substeps");
  if (run->has_input && set(instance, run->input, run->value) != 0) fail("the input");
  if (initialize(instance) != 0) fail("initialization");
  int i = 0;
  if (run->restore != NULL) {
    read_state(instance, run->restore);
    i = steps / 2;
  }
  for (; i < steps; ++i) {
    if (i == steps / 2) {
      if (get(instance, run->outputs, run->count, run->half) != 0) fail("outputs");
      if (run->save != NULL) write_state(instance, run->save);
      if (run->limit != NULL) discarded_step(instance, run, i * step_size);
    }
    if (do_step(instance, i * step_size, step_size) != 0) fail("a step");
  }
  if (get(instance, run->outputs, run->count, run->at_end) != 0) fail("outputs");
  end(instance);
}

#ifdef _WIN32
static DWORD WINAPI in_thread(void* run) {
  drive(run);
  return 0;
}
static void start(Thread* thread, struct Run* run) {
  *thread = CreateThread(NULL, 0, in_thread, run, 0, NULL);
}
static void wait_for(Thread thread) { WaitForSingleObject(thread, INFINITE); }
#else
static void* in_thread(void* run) {
  drive(run);
  return NULL;
}
static void start(Thread* thread, struct Run* run) { pthread_create(thread, NULL, in_thread, run); }
static void wait_for(Thread thread) { pthread_join(thread, NULL); }
#endif

/// Each call returns a status other than "ok" with a message, and the instance continues as if it had not been called.
static void refused_calls(unsigned input) {
  printf("wrong token: %s\n", instantiate("{0}") == NULL ? "refused" : "taken");
  const char* kept = resources;
  resources = version == 2 ? "file:///nowhere" : "/nowhere";
  printf("wrong resources: %s\n", instantiate(token) == NULL ? "refused" : "taken");
  resources = kept;
  void* instance = instantiate(token);
  if (instance == NULL) fail("there is no instance");
  const unsigned unknown = 123456789;
  double value = 0;
  printf("step before initialization: %d\n", do_step(instance, 0, step_size));
  printf("initialization: %d\n", initialize(instance));
  printf("unknown reference: %d\n", get(instance, &unknown, 1, &value));
  printf("not a number: %d\n", set(instance, input, NAN));
  printf("negative step: %d\n", do_step(instance, 0, -step_size));
  printf("step: %d\n", do_step(instance, 0, step_size));
  end(instance);
}

#ifdef _WIN32
/// The words of the command line in UTF-8, as FMI requires.
static char** utf8_words(void) {
  int count = 0;
  wchar_t** wide = CommandLineToArgvW(GetCommandLineW(), &count);
  char** words = calloc((size_t)count + 1, sizeof(char*));
  for (int i = 0; i < count; ++i) {
    const int size = WideCharToMultiByte(CP_UTF8, 0, wide[i], -1, NULL, 0, NULL, NULL);
    words[i] = malloc((size_t)size);
    WideCharToMultiByte(CP_UTF8, 0, wide[i], -1, words[i], size, NULL, NULL);
  }
  return words;
}
#endif

int main(int count, char** words) {
#ifdef _WIN32
  words = utf8_words();
#endif
  if (count < 7) fail("see the head of drive.c for what to write");
  version = atoi(words[1]);
  open_library(words[2]);
  if (library == NULL) fail("the library is not loaded");
  token = words[3];
  resources = words[4];
  const char* command = words[5];
  int next = 6;
  static struct Run runs[threads];
  struct Run* run = &runs[0];
  if (strcmp(command, "fail") == 0) {
    refused_calls((unsigned)atoi(words[next]));
    return 0;
  }
  if (strcmp(command, "save") == 0) run->save = words[next++];
  if (strcmp(command, "discard") == 0) run->limit = words[next++];
  if (strcmp(command, "restore") == 0) run->restore = words[next++];
  if (next + 2 > count) fail("an input and its value are missing");
  run->has_input = strcmp(words[next], "-") != 0;
  run->input = (unsigned)atoi(words[next]);
  run->value = atof(words[next + 1]);
  for (next += 2; next < count && run->count < most_outputs; ++next)
    run->outputs[run->count++] = (unsigned)atoi(words[next]);
  if (strcmp(command, "threads") == 0) {
    Thread all[threads];
    for (int i = 0; i < threads; ++i) {
      runs[i] = runs[0];
      runs[i].value = runs[0].value + i;
      start(&all[i], &runs[i]);
    }
    for (int i = 0; i < threads; ++i) wait_for(all[i]);
    for (int i = 0; i < threads; ++i) print_values("end", runs[i].at_end, run->count);
    return 0;
  }
  const clock_t begin = clock();
  drive(run);
  const double taken = (double)(clock() - begin) / CLOCKS_PER_SEC;
  if (run->restore == NULL) print_values("half", run->half, run->count);
  print_values("end", run->at_end, run->count);
  fprintf(stderr, "%.1f us a step\n", taken / steps * 1e6);
  return 0;
}
