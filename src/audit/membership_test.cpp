#include "audit/membership.hpp"

#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "ledger/sample_ledger.hpp"

namespace tideline::audit {
namespace {

// Random states, steps and parents, decided with sets.
TEST(Membership, AgreesWithSets) {
    std::mt19937_64 random(11);
    const ledger::sample::TemporaryDirectory directory;
    for (const std::uint64_t states : {0U, 1U, 50U, 100'000U}) {
        Membership membership(states, 1, directory / "");
        EXPECT_EQ(membership.partitions(), states > 50 ? 8U : 1U);
        const FingerprintKey key;
        const auto fingerprint = [&](std::int64_t value) { return key(std::span(&value, 1)); };
        std::set<std::pair<std::uint64_t, std::int64_t>> steps;
        std::map<std::int64_t, std::uint64_t> known;
        std::vector<std::pair<std::int64_t, std::uint64_t>> list;
        MembershipResult expected;
        const auto value = [&] { return static_cast<std::int64_t>(random() % (2 * states + 1)); };
        for (std::uint64_t n = 0; n < states; ++n) {
            list.emplace_back(value(), random() % states);
            const auto [place, is_new] = known.emplace(list[n].first, n);
            if (!is_new) {
                expected.repeated.add(n, place->second);
                place->second = n;
            }
        }
        for (std::uint64_t n = 0; n < states; ++n) {
            // Half of the parents are right.
            const auto [child, parent] = list[random() % states];
            for (const auto& [source, target] : {std::pair(n, value()), std::pair(parent, child)}) {
                steps.emplace(source, target);
                if (!known.contains(target)) expected.missing.add(source);
                membership.add_step(fingerprint(target), source);
            }
        }
        for (std::uint64_t n = 0; n < states; ++n) {
            membership.add_state(fingerprint(list[n].first), n, list[n].second);
            if (!steps.contains({list[n].second, list[n].first})) expected.wrong_parents.add(n, list[n].second);
        }
        const MembershipResult result = membership.decide([](std::uint64_t) {});
        const std::pair<const Tally&, const Tally&> pairs[] = {{result.repeated, expected.repeated},
                                                               {result.missing, expected.missing},
                                                               {result.wrong_parents, expected.wrong_parents}};
        for (const auto& [found, right] : pairs) {
            EXPECT_EQ(found.count, right.count);
            EXPECT_EQ(found.first, right.first);
            EXPECT_EQ(found.other, right.other);
        }
    }
}

TEST(Membership, SaysWhenMemoryIsNotEnough) {
    const ledger::sample::TemporaryDirectory directory;
    EXPECT_THROW(Membership(std::uint64_t{1} << 40U, 1 << 20U, directory / ""), AuditError);
    EXPECT_NO_THROW(Membership(1'000'000, 1 << 20U, directory / ""));
    EXPECT_THROW(Membership(UINT64_MAX, 0, directory / ""), AuditError);
}

TEST(FingerprintKey, IsAnotherOneEachTime) {
    const std::vector<std::int64_t> values = {1, 2, 3};
    EXPECT_NE(FingerprintKey()(values), FingerprintKey()(values));
}

}  // namespace
}  // namespace tideline::audit
