#include "packaging/video.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "model_desc/json.h"
#include "packaging/interrupt.h"
#include "packaging/options.h"
#include "packaging/process.h"
#include "packaging/server.h"
#include "packaging/temporary.h"
#include "packaging/terminal.h"

namespace mechfmu {

namespace {

namespace fs = std::filesystem;

std::string browser() {
  if (const char* given = std::getenv("MECHFMU_BROWSER"); given != nullptr && *given != '\0')
    return given;
  for (const char* name : {"chromium", "chromium-browser", "google-chrome", "chrome"})
    if (can_be_run(name)) return name;
  throw std::runtime_error(
      "pictures and videos need Chromium, which was not found: install it "
      "(apt-get install chromium), or set MECHFMU_BROWSER to another browser");
}

std::string numbered(std::size_t i) {
  std::string text = std::to_string(i);
  return std::string(5 - std::min<std::size_t>(text.size(), 5), '0') + text;
}

/// Times of the frames.
std::vector<double> times_of(const Recording& recording, const VideoOptions& options, bool video) {
  const double begin = recording.values[0].front();
  const double end = recording.values[0].back();
  if (!video) return {std::clamp(options.at.value_or(begin), begin, end)};
  const double duration = end - begin;
  const double speed = options.speed.value_or(duration >= 2 && duration <= 30 ? 1 : duration / 8);
  const double frames = duration / speed * options.rate;
  if (!(frames <= 20'000))
    throw WrongUsage("the video would have " + std::to_string(static_cast<long>(frames)) +
                     " frames; use a higher --speed");
  std::vector<double> times;
  const auto count = static_cast<std::size_t>(std::max(frames, 1.0));
  for (std::size_t i = 0; i < count; ++i)
    times.push_back(begin + duration * static_cast<double>(i) / static_cast<double>(count));
  return times;
}

/// The request to the page.
std::string order(const std::vector<double>& times, const VideoOptions& options, bool as_svg) {
  return json_object({{"width", std::to_string(options.width)},
                      {"height", std::to_string(options.height)},
                      {"times", json(times)},
                      {"view", json(options.view)},
                      {"show", json(options.show)},
                      {"dark", options.dark ? "true" : "false"},
                      {"svg", as_svg ? "true" : "false"}});
}

void make_video(const fs::path& frames, const fs::path& file, double rate) {
  if (!can_be_run("ffmpeg"))
    throw std::runtime_error(
        "videos need ffmpeg, which was not found: install it (apt-get install ffmpeg)");
  std::vector<std::string> words = {"ffmpeg",       "-nostdin", "-y",
                                    "-loglevel",    "error",    "-framerate",
                                    shortest(rate), "-i",       (frames / "%05d").string()};
  words[8] += ".png";
  const std::string kind = file.extension().string();
  const auto add = [&](std::initializer_list<const char*> more) {
    words.insert(words.end(), more.begin(), more.end());
  };
  if (kind == ".gif")
    add({"-vf",
         "split[a][b];[a]palettegen=max_colors=96:stats_mode=diff[p];[b][p]paletteuse=dither=bayer:"
         "bayer_scale=4:diff_mode=rectangle"});
  else if (kind == ".apng")
    add({"-f", "apng", "-plays", "0"});
  else
    add({"-c:v", "libx264", "-crf", "20", "-pix_fmt", "yuv420p", "-vf",
         "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-movflags", "+faststart"});
  words.push_back(operand(file));
  const ProcessResult result = run_process(words);
  if (result.status != 0)
    throw std::runtime_error("ffmpeg could not write " + file.string() + ": " + result.output);
}

}  // namespace

void write_video(const Animation& animation, const Kit& kit, const fs::path& file,
                 const VideoOptions& options) {
  const Interruptible interruptible;
  const std::string kind = file.extension().string();
  const bool video = kind == ".mp4" || kind == ".gif" || kind == ".apng";
  const std::string program = browser();
  const std::vector<double> times = times_of(animation.recording, options, video);
  const std::string page = page_of(animation, kit, {.live = true});
  const std::string wanted = order(times, options, kind == ".svg");
  const TemporaryFolder temporary;
  const fs::path frames = temporary.path() / "frames";
  fs::create_directories(frames);
  std::size_t received = 0;
  std::string problem;
  bool done = false;
  const auto write = [](const fs::path& to, const std::string& bytes) {
    std::ofstream out(to, std::ios::binary);
    out << bytes;
    if (!out.flush()) throw std::runtime_error("cannot write " + to.string());
  };
  Server server([&](const Request& request) -> Answer {
    if (request.method == "GET" && request.path.empty())
      return {200, "text/html; charset=utf-8", page};
    if (request.method == "GET" && request.path == "order")
      return {200, "application/json", wanted};
    if (request.method == "POST" && request.path == "frame") {
      write(frames / (numbered(received) + ".png"), request.body);
      done = ++received == times.size();
      return {};
    }
    if (request.method == "POST" && request.path == "problem") {
      problem = request.body.empty() ? "the page reported nothing" : request.body;
      return {};
    }
    return {404};
  });
  std::vector<std::string> words = {program,
                                    "--headless=new",
                                    "--use-angle=swiftshader",
                                    "--enable-unsafe-swiftshader",
                                    "--no-first-run",
                                    "--disable-background-networking",
                                    "--disable-component-update",
                                    "--disable-sync",
                                    "--disable-dev-shm-usage",
                                    "--hide-scrollbars",
                                    "--user-data-dir=" + (temporary.path() / "browser").string()};
  if (geteuid() == 0) words.emplace_back("--no-sandbox");
  words.push_back(server.address() + "#draw");
  {
    Process drawing(words);
    auto last = std::chrono::steady_clock::now();
    std::size_t seen = 0;
    while (!done && problem.empty()) {
      server.serve(std::chrono::milliseconds(100));
      if (interrupted()) throw Interrupted();
      const auto now = std::chrono::steady_clock::now();
      if (received > seen) last = now;
      seen = received;
      if (drawing.ended() && !done)
        problem = "it ended: " + drawing.wait().output;
      else if (now - last > std::chrono::minutes(2))
        problem = "no picture within two minutes";
    }
  }
  if (!problem.empty()) throw std::runtime_error(program + " did not draw the page: " + problem);
  if (video)
    make_video(frames, file, options.rate);
  else
    fs::copy_file(frames / "00000.png", file, fs::copy_options::overwrite_existing);
}

}  // namespace mechfmu
