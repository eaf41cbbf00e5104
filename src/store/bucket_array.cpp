#include "store/bucket_array.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace tideline::store {

template <std::size_t kBytes>
void BasicShard<kBytes>::allocate(std::uint64_t new_count) {
    memory = support::Mapping::resident(new_count * kBucketBytes + kBucketBytes);
    void* first = memory.data();
    std::size_t room = memory.bytes();
    buckets = static_cast<std::byte*>(std::align(kBucketBytes, new_count * kBucketBytes, first, room));
    count = new_count;
}

template <std::size_t kBytes>
BasicShards<kBytes>::BasicShards(unsigned split_bits, Growth growth, std::size_t entries_per_bucket)
    : split_bits_(split_bits), entries_per_bucket_(entries_per_bucket), growth_(growth), shards_(1) {
    assert(split_bits > 0 && split_bits <= kMostBits);
    shards_[0].allocate(kFirstBuckets);
    shards_[0].limit = limit_of(kFirstBuckets, growth.load);
}

template <std::size_t kBytes>
std::uint64_t BasicShards<kBytes>::buckets_for(std::uint64_t entries) const {
    return static_cast<std::uint64_t>(static_cast<double>(entries / entries_per_bucket_ + 1) / growth_.load) + 1;
}

template <std::size_t kBytes>
double BasicShards<kBytes>::phase(std::size_t shard, std::size_t count) const {
    return std::pow(growth_.factor, (static_cast<double>(shard) + 1) / static_cast<double>(count));
}

template <std::size_t kBytes>
void BasicShards<kBytes>::reserve(std::uint64_t entries, const MemoryBudget& try_reserve) {
    const std::uint64_t buckets = buckets_for(entries);
    if (buckets <= shards_[0].count || !is_granted(try_reserve, buckets * kBucketBytes)) return;
    const unsigned bits = buckets > kBucketsBeforeShards ? split_bits_ : 0;
    std::vector<Shard> shards(std::size_t{1} << bits);
    for (std::size_t i = 0; i < shards.size(); ++i) {
        const double more = bits == 0 ? 1 : phase(i, shards.size());
        shards[i].allocate(static_cast<std::uint64_t>(static_cast<double>(buckets / shards.size() + 1) * more));
        shards[i].limit = limit_of(shards[i].count, growth_.load);
    }
    ++generation_;
    bits_ = bits;
    shards_ = std::move(shards);
}

template <std::size_t kBytes>
std::vector<BasicShard<kBytes>> BasicShards<kBytes>::split(const std::vector<std::uint64_t>& sizes) const {
    std::uint64_t entries = 0;
    for (const std::uint64_t size : sizes) entries += size;
    const double average =
        static_cast<double>(entries) / static_cast<double>(sizes.size() * entries_per_bucket_) / growth_.load;
    std::vector<Shard> shards(sizes.size());
    for (std::size_t i = 0; i < shards.size(); ++i) {
        const auto wanted = static_cast<std::uint64_t>(average * phase(i, shards.size()));
        shards[i].allocate(std::max(wanted, buckets_for(sizes[i])));
        shards[i].size = sizes[i];
        shards[i].limit = limit_of(shards[i].count, growth_.load);
    }
    return shards;
}

template <std::size_t kBytes>
void BasicShards<kBytes>::install(std::vector<Shard> shards) {
    assert(shards.size() == std::size_t{1} << split_bits_);
    shards_ = std::move(shards);
    bits_ = split_bits_;
}

template struct BasicShard<kBucketBytes>;
template struct BasicShard<2 * kBucketBytes>;
template class BasicShards<kBucketBytes>;
template class BasicShards<2 * kBucketBytes>;

}  // namespace tideline::store
