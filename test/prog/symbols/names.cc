/* C++ with names of templates, lambdas and functions that are inlined, for tests of symbols. */
#include <algorithm>
#include <functional>
#include <map>
#include <regex>
#include <string>
#include <vector>

int numbers[1000];

namespace shapes {
struct circle {
	virtual ~circle() = default;
	__attribute__((noinline)) virtual double area(double r) const { return 3 * r * r; }
};
}

int main(int argc, char **argv)
{
	std::map<std::string, std::vector<int>> words;
	const std::regex pattern("a+(b|c)*");
	shapes::circle c;

	for (int i = 0; i < argc; i++)
		if (std::regex_match(argv[i], pattern))
			words[argv[i]].push_back(int(c.area(i)));
	for (auto &word : words)
		std::sort(word.second.begin(), word.second.end(), [](int a, int b) { return a > b; });
	return numbers[argc] + int(words.size());
}
