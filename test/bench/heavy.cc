/*
 * A unit of C++ whose debug information is large: work() has templates of the standard
 * library, for 4 types of its own each, and their functions are inlined into each other.
 * bench/symbols links this unit many times, by names of unit() that differ.
 */
#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <regex>
#include <string>
#include <unordered_map>
#include <vector>

extern "C" int unit(int argc, char **argv);

namespace {
template <int N> struct traits : std::regex_traits<char> {
	char translate(char c) const { return char(c ^ (N & 1)); }
};

template <int N> struct key {
	std::string name;
	int number;

	bool operator<(const key &o) const
	{
		return number < o.number || (number == o.number && name < o.name);
	}
};

template <int N> int work(int argc, char **argv)
{
	const std::basic_regex<char, traits<N>> pattern("a+(b|c)*");
	std::map<key<N>, std::vector<std::unique_ptr<key<N>>>> words;
	std::unordered_map<std::string, std::deque<key<N>>> other;
	std::vector<std::function<int(const key<N> &)>> list;
	int sum = 0;

	for (int i = 0; i < argc; i++)
		if (std::regex_match(argv[i], pattern)) {
			const key<N> k{argv[i], i};

			words[k].push_back(std::make_unique<key<N>>(k));
			other[argv[i]].push_back(k);
			list.push_back([=](const key<N> &o) { return o.number + i; });
		}
	for (auto &word : words) {
		std::sort(word.second.begin(), word.second.end(),
			  [](const auto &a, const auto &b) { return *a < *b; });
		for (auto &f : list)
			sum += f(word.first);
	}
	for (auto &o : other)
		std::stable_sort(o.second.begin(), o.second.end());
	return sum;
}
}

int unit(int argc, char **argv)
{
	return work<0>(argc, argv) + work<1>(argc, argv) + work<2>(argc, argv) + work<3>(argc, argv);
}
